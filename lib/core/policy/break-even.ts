/**
 * The window that moves at break-even, `batch_turns = "auto"`: once the stale results have cost as much since the last
 * move as moving costs now. A result is stale when it is older than the window and not yet masked. The requests are
 * simulated from the start of the conversation, one before each answer, so that the same messages have the same moves
 * everywhere and a longer conversation never changes an earlier one. A move is decided by what the request before it
 * sent. Sizes are Unicode code points, four to a token.
 *
 * - Debt: what staying has cost since the last move. Each request read the stale results from the cache; of these counts
 *   what their placeholders save.
 * - Price: what stands behind the first newly masked result is written again instead of read. Where a change loses all but
 *   the head, that is everything behind the head. Where the first answer states its usage, the request for it shows how much
 *   stands before the messages, and how much of that others read after a change.
 * - After a pause that the cache does not outlive, a move is free.
 */
import { addToGroup } from '../conversation/add-to-group'
import type { Usage } from '../conversation/conversation'
import type { MaskPolicy } from './policy'

/** What moving and staying cost at a provider; the ratios are parts of the input price. */
export interface CacheTerms {
  readonly readRatio: number
  readonly writeRatio: number
  /** True if only the head of a changed request is read from the cache; false if all before the change is. */
  readonly keepsOnlyHead: boolean
  /** False if of its head, a changed request reads only what the session's first request read, where that is known. */
  readonly findsAllBeforeChange: boolean
  /** How long an entry lives after its last use. */
  readonly lifetimeSeconds: number
}

/** A cache of which nothing is known: one that reads the longest common prefix, for an hour. */
export const DEFAULT_CACHE: CacheTerms = {
  readRatio: 0.1,
  writeRatio: 1.25,
  keepsOnlyHead: false,
  findsAllBeforeChange: false,
  lifetimeSeconds: 3600,
}

/**
 * The part of a first request that stays readable after it wrote all of it, for other requests mark the end of a part of it
 * only: what the first loss left in 59 published sessions of Claude Code, the median (38 to 83 % in four of five; November 2026).
 */
export const READABLE_SHARE = 0.66

/** A policy, and the cache of the model that its requests go to; without it, `DEFAULT_CACHE`. */
export interface PolicyOfModel extends MaskPolicy {
  readonly cache?: CacheTerms | undefined
}

export function cacheTermsOf({
  cacheReadRatio: read,
  cacheWriteRatio: write,
  cache = DEFAULT_CACHE,
}: Pick<PolicyOfModel, 'cacheReadRatio' | 'cacheWriteRatio' | 'cache'>): CacheTerms {
  return {
    ...cache,
    ...(read !== 'auto' && { readRatio: read }),
    ...(write !== 'auto' && { writeRatio: write }),
  }
}

/** What the rule reads of a message. */
export interface SizedMessage {
  readonly role: string
  readonly isAssistant: boolean
  /** Undefined unless it opens a turn. */
  readonly turn: number | undefined
  readonly chars: number
  readonly writtenAt: number | undefined
  readonly usage?: Pick<Usage, 'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'>
}

/** A result that the policy masks once it is old enough. */
export interface AgingResult {
  readonly result: number
  readonly message: number
  /** That of the nearest call before it with its id. */
  readonly turn: number
  /** Code points that its placeholder saves; negative if it is longer. */
  readonly savedChars: number
  /** The message that made it none of the last results of its tool; its own where these are not kept. */
  readonly after: number
  /** From the request on that sends this message, it stays as it was. */
  readonly boundBy: number
}

/** One request, and where the window stands in it. Tokens are estimates; debt and price are in tokens at the input price. */
export type WindowStep = ReturnType<typeof breakEvenSteps>[number]

export const CHARS_PER_TOKEN = 4

/** The steps of a window, for each request of the conversation up to the one that sends all messages. */
export function breakEvenSteps(
  messages: readonly SizedMessage[],
  results: readonly AgingResult[],
  windowTurns: number,
  { readRatio, writeRatio, keepsOnlyHead, findsAllBeforeChange, lifetimeSeconds }: CacheTerms,
) {
  const prefix = [0]
  const turnsUpTo = [0]
  const ends: number[] = []
  /** By message: the first request that sends it. */
  const requestOf: number[] = []
  for (const [index, { isAssistant, turn, chars }] of messages.entries()) {
    if (index > 0 && isAssistant && messages[index - 1]?.isAssistant === false) ends.push(index)
    requestOf.push(ends.length)
    prefix.push((prefix[index] as number) + chars)
    turnsUpTo.push((turnsUpTo[index] as number) + (turn === undefined ? 0 : 1))
  }
  // What ends with an answer sends no request, or goes on with an answer that is not complete.
  if (messages.at(-1)?.isAssistant === false) ends.push(messages.length)
  const isHead = ({ role }: SizedMessage) => role === 'system' || role === 'developer'
  const head = Math.max(
    0,
    messages.findIndex((message) => !isHead(message)),
  )
  const first = messages.findIndex(({ isAssistant }) => isAssistant)
  const usage: Partial<Usage> = messages[first]?.usage ?? {}
  const { inputTokens = 0, cacheReadTokens: warm, cacheWriteTokens = 0 } = usage
  const seen = prefix[Math.max(0, first)] as number
  const unseenHead = Math.max(0, CHARS_PER_TOKEN * inputTokens - seen)
  /** Of the head, all that a changed request finds. */
  const readable =
    warm === undefined || findsAllBeforeChange
      ? Number.POSITIVE_INFINITY
      : Math.round(CHARS_PER_TOKEN * (warm || READABLE_SHARE * cacheWriteTokens))

  const ofTurn = new Map<number, AgingResult[]>()
  const binding = new Set<number>()
  for (const result of results) {
    addToGroup(ofTurn, result.turn, result)
    binding.add(requestOf[result.boundBy] ?? -1)
  }
  /** By request: the results that become stale then, since the request before was the first that sent all it takes. */
  const late = new Map<number, AgingResult[]>()
  let [edge, firstKept, stale, masked, owed] = [0, 0, 0, 0, 0]
  let firstStale = Number.POSITIVE_INFINITY
  let [lastTime, time] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

  return ends.map((end, request) => {
    const sent = ends[request - 1] ?? 0
    for (let message = sent; message < end; message++)
      time = Math.max(time, messages[message]?.writtenAt ?? time)
    const isCold = time - lastTime > lifetimeSeconds * 1000
    if (time > Number.NEGATIVE_INFINITY) lastTime = time
    if (binding.has(request)) [stale, owed, firstStale] = [0, 0, Number.POSITIVE_INFINITY]
    const arriving = [...(late.get(request) ?? [])]
    for (const next = (turnsUpTo[end] as number) - windowTurns; edge < next; edge++) {
      for (const result of ofTurn.get(edge) ?? []) {
        const ready = Math.max(result.message, result.after)
        const from = (requestOf[ready] ?? ends.length) + 1
        if (from <= request) arriving.push(result)
        else addToGroup(late, from, result)
      }
    }
    for (const { turn, message, savedChars, boundBy } of arriving) {
      // One that came late was masked at once, in the request before.
      if (boundBy < (turn < firstKept ? sent : end)) continue
      if (turn < firstKept) masked += savedChars
      else {
        stale += savedChars
        firstStale = Math.min(firstStale, message)
      }
    }
    const unseen = end > first ? unseenHead : 0
    const size = unseen + (prefix[sent] as number)
    const headSize = unseen + (prefix[head] as number)
    const upToChange = unseen + (prefix[Math.min(firstStale, sent)] as number) - masked
    const found = Math.min(
      keepsOnlyHead ? headSize : upToChange,
      readable === Number.POSITIVE_INFINITY ? readable : Math.min(readable, headSize),
    )
    const behind = size - masked - found
    const price = isCold ? 0 : (writeRatio - readRatio) * Math.max(0, behind - stale)
    const debt = readRatio * owed
    const isMove = stale > 0 && debt >= price
    const step = {
      /** The request sends the messages before this index. */
      end,
      isMove,
      /** The first turn whose results are kept. */
      firstKept: isMove ? edge : firstKept,
      /** Stale when the request was decided: masked if it is a move, else read from the cache once more. */
      staleTokens: Math.max(0, stale) / CHARS_PER_TOKEN,
      /** Before this request. */
      debt: debt / CHARS_PER_TOKEN,
      priceOfMoving: price / CHARS_PER_TOKEN,
    }
    if (isMove) {
      masked += stale
      ;[firstKept, stale, owed, firstStale] = [edge, 0, 0, Number.POSITIVE_INFINITY]
    } else owed += Math.max(0, stale)
    return step
  })
}
