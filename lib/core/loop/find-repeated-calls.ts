/**
 * Finds repeated calls in a session, and replays the guards of a tool loop over it to show which calls they would
 * have stopped. A turn is a batch. Uses the transcript's times if every turn has one; otherwise every turn lasts a
 * fixed time, and the report says so.
 */
import { addToGroup } from '../conversation/add-to-group'
import { looksLikeError, type ReadConversation, type ToolCall } from '../conversation/conversation'
import type { ConversationCounts } from '../tokens/count-conversation'
import type {
  CallOverLimit,
  RepeatedCall,
  RepeatedCallsOptions,
  RepeatedCallsReport,
  RepeatedError,
  RepeatedId,
} from './repeated-calls-report'
import { batchesOf, callsOfTurns, replayGuards, type TurnCall } from './replay-guards'
import type { RepairArgumentsText } from './signature'

/** Returns the repeated calls of a conversation. Linear in the calls, except for the guards' history. */
export function findRepeatedCalls(
  conversation: ReadConversation,
  counts: ConversationCounts,
  countTokens: (text: string) => number,
  repair: RepairArgumentsText,
  options: RepeatedCallsOptions,
): RepeatedCallsReport {
  const calls = callsOfTurns(conversation, repair)
  const signatureOf = new Map(calls.map(({ at, pending }) => [at, pending.signature]))
  const results = resultsByCall(conversation, calls)
  const resultsOf = (call: number) => results.get(call) ?? []
  const tokensOf = (call: number) => sum(resultsOf(call).map((at) => counts.results[at] as number))
  const { times, timedTurns } = timesOfTurns(conversation)
  const turnTime = options.limits.signatureWindow / Math.max(1, options.signatureTurns)
  const timeOf = (turn: number) => times?.[turn] ?? turn * turnTime
  const resultTextOf = (call: number) => {
    const own = results.get(call)
    return own && JSON.stringify(own.map((at) => conversation.resultTexts[at]))
  }
  return {
    clock: times === undefined ? 'turn_order' : 'timestamps',
    timedTurns,
    calls: calls.length,
    repeats: repeatsBy(calls, ({ pending }) => pending.signature, tokensOf, times).map(
      (repeat): RepeatedCall => {
        const [own, other] = [resultTextOf(repeat.call), resultTextOf(repeat.earlier)]
        return {
          ...repeat,
          isSameBatch: repeat.turnsApart === 0,
          isSameResult: own === undefined || other === undefined ? undefined : own === other,
        }
      },
    ),
    repeatedIds: repeatsBy(calls, ({ pending }) => pending.id, tokensOf, times).map(
      (repeat): RepeatedId => ({
        ...repeat,
        isSameCall: signatureOf.get(repeat.call) === signatureOf.get(repeat.earlier),
      }),
    ),
    overLimit: overLimit(calls, options.limits.callsPerBatch, tokensOf),
    stopped: replayGuards(calls, { timeOf, resultsOf, tokensOf, countTokens }, options),
    pingPongs: findPingPongs(calls.map(({ pending }) => pending.signature)).map((span) => {
      const run = calls.slice(span.start, span.start + span.length).map(({ at }) => at)
      return { calls: run, tokens: sum(run.slice(2).map(tokensOf)) }
    }),
    repeatedErrors: repeatedErrorsOf(conversation, counts, options.fewestErrors),
  }
}

/** Consecutive items in which two values alternate: A, B, A, B. */
interface PingPongRun {
  readonly start: number
  /** At least four. */
  readonly length: number
}

const PERIOD = 2
const FEWEST_ROUNDS = 2

/** Returns each longest run of A, B, A, B … with at least two rounds and A different from B. Linear, no overlap. */
export function findPingPongs(items: readonly string[]): PingPongRun[] {
  const runs: PingPongRun[] = []
  let start = 0
  for (let at = 1; at <= items.length; at++) {
    const alternates =
      at < items.length &&
      items[at] !== items[at - 1] &&
      (at - start < PERIOD || items[at] === items[at - PERIOD])
    if (alternates) continue
    const isPingPong = at - start >= PERIOD * FEWEST_ROUNDS
    if (isPingPong) runs.push({ start, length: at - start })
    // The last two items may start the next run, but an item belongs to one run only.
    start = isPingPong || items[at] === items[at - 1] ? at : at - 1
  }
  return runs
}

/**
 * Maps each call to its results. A result belongs to the latest call with its id before it, so a call that reuses an
 * id has only its own results. Masking assigns the results of both calls to the later turn.
 */
function resultsByCall(
  { results, calls: all }: ReadConversation,
  calls: readonly TurnCall[],
): ReadonlyMap<number, readonly number[]> {
  const callsOfId = new Map<string, number[]>()
  for (const { at, pending } of calls) {
    addToGroup(callsOfId, pending.id, at)
  }
  const found = new Map<number, number[]>()
  for (const [index, { callId, message }] of results.entries()) {
    const known = callId === undefined ? undefined : callsOfId.get(callId)
    const isBefore = (call: number) => (all[call] as ToolCall).message <= message
    const call = known?.findLast(isBefore) ?? known?.[0]
    if (call === undefined) continue
    addToGroup(found, call, index)
  }
  return found
}

/** Times of the turns, never decreasing; undefined unless every turn has one. */
function timesOfTurns({ messages }: ReadConversation): {
  readonly times: readonly number[] | undefined
  readonly timedTurns: number
} {
  const turns = messages.filter(({ turn }) => turn !== undefined)
  const times = turns.flatMap(({ writtenAt: at }) => (at === undefined ? [] : [at]))
  if (times.length === 0 || times.length < turns.length)
    return { times: undefined, timedTurns: times.length }
  let latest = Number.NEGATIVE_INFINITY
  const ascending = times.map((time) => {
    latest = Math.max(latest, time)
    return latest
  })
  return { times: ascending, timedTurns: times.length }
}

/** Pairs each call with the latest earlier call of the same key. */
function repeatsBy(
  calls: readonly TurnCall[],
  keyOf: (call: TurnCall) => string,
  tokensOf: (call: number) => number,
  times: readonly number[] | undefined,
): Omit<RepeatedId, 'isSameCall'>[] {
  const latest = new Map<string, TurnCall>()
  return calls.flatMap((call) => {
    const key = keyOf(call)
    const earlier = latest.get(key)
    latest.set(key, call)
    if (earlier === undefined) return []
    const [now, then] = [times?.[call.turn], times?.[earlier.turn]]
    return [
      {
        call: call.at,
        turn: call.turn,
        earlier: earlier.at,
        turnsApart: call.turn - earlier.turn,
        timeApart: now === undefined || then === undefined ? undefined : now - then,
        tokens: tokensOf(call.at),
      },
    ]
  })
}

function overLimit(
  calls: readonly TurnCall[],
  limit: number,
  tokensOf: (call: number) => number,
): CallOverLimit[] {
  return batchesOf(calls).flatMap((batch) =>
    batch.slice(limit).map(({ at, turn }, beyond) => {
      return { call: at, turn, position: limit + beyond, tokens: tokensOf(at) }
    }),
  )
}

function repeatedErrorsOf(
  { results, resultTexts }: ReadConversation,
  counts: ConversationCounts,
  fewest: number,
): RepeatedError[] {
  const groups = new Map<string, number[]>()
  for (const [index, { errorRules, toolName }] of results.entries()) {
    if (!looksLikeError(errorRules)) continue
    const key = JSON.stringify([toolName, resultTexts[index]])
    addToGroup(groups, key, index)
  }
  return [...groups.values()]
    .filter((group) => group.length >= Math.max(2, fewest))
    .map((group) => ({
      toolName: results[group[0] as number]?.toolName,
      results: group,
      tokens: sum(group.slice(1).map((at) => counts.results[at] as number)),
    }))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
