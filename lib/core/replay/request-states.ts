import { firstKeptTurn } from '../policy/decide'
import type { MaskPolicy } from '../policy/policy'
import type { MaskableLink, MaskFacts } from './mask-facts'
import type { SessionRequest } from './requests'
import type { Tokens } from './units'

/** The part of a policy that says when: a window of 0 masks nothing. */
export type MaskWindow = Pick<MaskPolicy, 'windowTurns' | 'batchTurns'>

/** What one request sends after masking. */
export interface RequestState {
  readonly request: SessionRequest
  readonly tokens: Tokens
  /** For each result it sends: 0 as it is, else the number of its placeholder. */
  readonly placeholders: Uint8Array | Uint32Array
  readonly maskedResults: number
  /** Tokens masking takes off, by result. */
  readonly savedTokens: readonly Tokens[]
}

/** The requests of a session after masking, each masked by what was known when it was sent. */
export function requestStates(facts: MaskFacts, window: MaskWindow): RequestState[] {
  const { requests } = facts.session
  const current: (MaskableLink | undefined)[] = []
  let sent = 0
  return requests.map((request, at) => {
    while (sent < facts.links.length && (facts.links[sent]?.[0]?.from ?? Infinity) <= at) {
      current.push(undefined)
      sent++
    }
    for (let index = 0; index < sent; index++) current[index] = linkAt(facts, index, at)
    const isOff = window.windowTurns <= 0 || at < facts.firstTriggered
    const firstKept = isOff ? 0 : firstKeptTurn(request.turnCount, window)
    return maskRequest(facts, at, current, firstKept)
  })
}

function linkAt({ links }: MaskFacts, index: number, at: number): MaskableLink | undefined {
  const ofResult = links[index]
  if (ofResult === undefined || ofResult.length === 1) return ofResult?.[0]
  return ofResult.findLast(({ from }) => from <= at)
}

function maskRequest(
  { session, tokensBefore, keepLastKPerTool }: MaskFacts,
  at: number,
  links: readonly (MaskableLink | undefined)[],
  firstKept: number,
): RequestState {
  const placeholders = new Uint32Array(links.length)
  const savedTokens: Tokens[] = new Array(links.length).fill(0)
  let tokens = tokensBefore[at] as number
  let maskedResults = 0
  const seen = new Map<string, number>()
  if (firstKept > 0) {
    for (let index = links.length - 1; index >= 0; index--) {
      const link = links[index] as MaskableLink
      if (keepLastKPerTool > 0 && link.toolName !== undefined) {
        const count = (seen.get(link.toolName) ?? 0) + 1
        seen.set(link.toolName, count)
        if (count <= keepLastKPerTool) continue
      }
      if (link.placeholder === 0 || link.turn === undefined || link.turn >= firstKept) continue
      placeholders[index] = link.placeholder
      savedTokens[index] = link.savedTokens
      tokens -= link.savedTokens
      maskedResults++
    }
  }
  const request = session.requests[at] as SessionRequest
  return { request, tokens, placeholders, maskedResults, savedTokens }
}

/** Messages two requests of a session have in common from the beginning on; `earlier` is not the longer one. */
export function sharedMessages(
  { session }: MaskFacts,
  earlier: RequestState,
  later: RequestState,
): number {
  const { results } = session.conversation
  for (let index = 0; index < earlier.placeholders.length; index++) {
    if (earlier.placeholders[index] !== later.placeholders[index])
      return results[index]?.message as number
  }
  return earlier.request.end
}

/** Tokens of a request up to a message: of what every request pays and of all messages before it. */
export function tokensUpTo(
  { session, prefixTokens }: MaskFacts,
  { placeholders, savedTokens }: RequestState,
  message: number,
): Tokens {
  const { results } = session.conversation
  let tokens = prefixTokens[message] as number
  for (let index = 0; index < placeholders.length; index++) {
    if ((results[index]?.message as number) >= message) break
    tokens -= savedTokens[index] as number
  }
  return tokens
}
