import type { ToolCall, ToolResult } from '../conversation/conversation'
import { type DecidableResult, type Decision, decide } from '../policy/decide'
import type { MaskPolicy } from '../policy/policy'
import { callAt, linkIds } from './link-results'
import type { Session, SessionRequest } from './sessions'
import type { Tokens } from './units'

/** Texts and placeholder tokens, by index of the result. */
export interface ReplaySources {
  /** The text of a result, all parts joined. Called only for results as long as a placeholder. */
  readonly textOf: (index: number) => string
  /** Tokens of a placeholder. */
  readonly placeholderTokensOf: (index: number, placeholder: string) => Tokens
}

/**
 * Decides the results of one request by what was known when it was sent. Later turns, ids and results are ignored.
 * Returns one decision for each result that the request sends, in the order of the conversation.
 */
export function decideRequest(
  session: Session,
  index: number,
  policy: MaskPolicy,
  sources: ReplaySources,
): Decision[] {
  const { conversation, counts, requests } = session
  const request = requests[index] as SessionRequest
  const callOf = new Map<number, ToolCall | undefined>()
  for (const { results, links } of linkIds(conversation, requests)) {
    const call = callAt(links, index)
    for (const result of results) callOf.set(result, call)
  }
  const results = conversation.results
    .filter(({ message }) => message < request.end)
    .map((result, at) => withCall(result, callOf.get(at)))
  return decide({ results, turnCount: request.turnCount }, policy, {
    textOf: sources.textOf,
    tokensOf: (result) => counts.results[result] as number,
    placeholderTokensOf: sources.placeholderTokensOf,
    requestTokens: counts.messages
      .slice(0, request.end)
      .reduce((total, tokens) => total + tokens, counts.perRequest),
  })
}

/** The members of a result that decisions depend on, with those of its call. */
export function withCall(
  { message, callId, link, shape, errorRules, firstLine, chars, length }: ToolResult,
  call: ToolCall | undefined,
): DecidableResult {
  return {
    message,
    callId,
    link,
    shape,
    errorRules,
    firstLine,
    chars,
    length,
    turn: call?.turn,
    toolName: call?.name,
    toolArguments: call?.argumentsPreview ?? '',
  }
}
