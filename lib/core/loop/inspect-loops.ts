/**
 * Where a session ran in circles: the guards of a tool loop replayed over a transcript. A turn is a batch. Times are
 * those of the transcript where every turn has one; else a turn stands for a fixed time, and the report says so.
 */
import type { ReadConversation } from '../conversation/conversation'
import type { ConversationCounts } from '../tokens/count-conversation'
import { batchesOf, callsOfTurns, type TurnCall } from './calls-of-turns'
import { findCycles } from './find-cycles'
import type {
  CallBeyondLimit,
  InspectOptions,
  LoopReport,
  RepeatedCall,
  RepeatedError,
  RepeatedId,
} from './loop-report'
import { replayGuards } from './replay-guards'
import type { MendArguments } from './signature'

/** Replays the guards over a conversation; `counts` are its own. Linear in its calls, but for the guards' history. */
export function inspectLoops(
  conversation: ReadConversation,
  counts: ConversationCounts,
  countTokens: (text: string) => number,
  mend: MendArguments,
  options: InspectOptions,
): LoopReport {
  const calls = callsOfTurns(conversation, mend)
  const signatureOf = new Map(calls.map(({ at, pending }) => [at, pending.signature]))
  const results = resultsByCall(conversation, calls)
  const resultsOf = (call: number) => results.get(call) ?? []
  const tokensOf = (call: number) => sum(resultsOf(call).map((at) => counts.results[at] as number))
  const { times, timedTurns } = timesOfTurns(conversation)
  const turnTime = options.limits.signatureWindow / Math.max(1, options.signatureTurns)
  const timeOf = (turn: number) => times?.[turn] ?? turn * turnTime
  const textOf = (call: number) => {
    const own = results.get(call)
    return own && JSON.stringify(own.map((at) => conversation.resultTexts[at]))
  }
  return {
    clock: times === undefined ? 'turn_order' : 'timestamps',
    timedTurns,
    calls: calls.length,
    repeats: callsAgain(calls, ({ pending }) => pending.signature, tokensOf, times).map(
      (again): RepeatedCall => {
        const [own, other] = [textOf(again.call), textOf(again.earlier)]
        return {
          ...again,
          isSameBatch: again.turnsApart === 0,
          isSameResult: own === undefined || other === undefined ? undefined : own === other,
        }
      },
    ),
    repeatedIds: callsAgain(calls, ({ pending }) => pending.id, tokensOf, times).map(
      (again): RepeatedId => ({
        ...again,
        isSameCall: signatureOf.get(again.call) === signatureOf.get(again.earlier),
      }),
    ),
    beyondLimit: beyondLimit(calls, options.limits.callsPerBatch, tokensOf),
    stopped: replayGuards(calls, { timeOf, resultsOf, tokensOf, countTokens }, options),
    pingPongs: findCycles(calls.map(({ pending }) => pending.signature)).map((cycle) => {
      const stretch = calls.slice(cycle.start, cycle.start + cycle.length).map(({ at }) => at)
      return { calls: stretch, tokens: sum(stretch.slice(2).map(tokensOf)) }
    }),
    repeatedErrors: repeatedErrorsOf(conversation, counts, options.fewestErrors),
  }
}

/**
 * A result answers the latest call of its id that stands before it: a call that uses an id again spares its own result
 * only. Masking gives the results of both to the later turn.
 */
function resultsByCall(
  { results, calls: all }: ReadConversation,
  calls: readonly TurnCall[],
): ReadonlyMap<number, readonly number[]> {
  const callsOfId = new Map<string, number[]>()
  for (const { at, pending } of calls) {
    const own = callsOfId.get(pending.id)
    if (own === undefined) callsOfId.set(pending.id, [at])
    else own.push(at)
  }
  const found = new Map<number, number[]>()
  for (const [index, { callId, message }] of results.entries()) {
    const known = callId === undefined ? undefined : callsOfId.get(callId)
    const isBefore = (call: number) => (all[call]?.message ?? 0) <= message
    const call = known?.findLast(isBefore) ?? known?.[0]
    if (call === undefined) continue
    const own = found.get(call)
    if (own === undefined) found.set(call, [index])
    else own.push(index)
  }
  return found
}

/** One time a turn, never before the last; undefined unless every turn has one. */
function timesOfTurns({ messages }: ReadConversation): {
  readonly times: readonly number[] | undefined
  readonly timedTurns: number
} {
  const turns = messages.filter(({ turn }) => turn !== undefined)
  const times = turns.flatMap(({ at }) => (at === undefined ? [] : [at]))
  if (times.length === 0 || times.length < turns.length)
    return { times: undefined, timedTurns: times.length }
  let latest = Number.NEGATIVE_INFINITY
  const inOrder = times.map((time) => {
    latest = Math.max(latest, time)
    return latest
  })
  return { times: inOrder, timedTurns: times.length }
}

/** Calls that have the key of an earlier one, each with the latest of those. */
function callsAgain(
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

function beyondLimit(
  calls: readonly TurnCall[],
  limit: number,
  tokensOf: (call: number) => number,
): CallBeyondLimit[] {
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
    if (errorRules.length === 0) continue
    const key = JSON.stringify([toolName, resultTexts[index]])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [index])
    else group.push(index)
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
