/**
 * Finds repeated calls in a session, and replays the guards of a tool loop over it to show which calls they would
 * have stopped. A turn is a batch. Uses the transcript's times if every turn has one; otherwise every turn lasts a
 * fixed time, and the report says so. Calls, turns and results are indices in the conversation.
 */
import { addToGroup, groupBy } from '../conversation/add-to-group'
import {
  looksLikeError,
  type ReadConversation,
  type ToolCall,
  type ToolResult,
} from '../conversation/conversation'
import type { ConversationCounts } from '../tokens/count-conversation'
import type { Guard, GuardSwitches, LoopLimits } from './guards'
import { batchesOf, replayGuards, type TurnCall } from './run-batch'
import { type RepairArgumentsText, signature } from './signature'

export interface RepeatedCallsOptions {
  readonly limits: LoopLimits
  /** A guard that is off leaves its calls to the other guards. */
  readonly guards: GuardSwitches
  /** Without times: a signature is refused if it was run fewer than this many turns before. */
  readonly signatureTurns: number
  /** Number of identical errors of one tool from which they are reported. */
  readonly fewestErrors: number
}

export type RepeatedCallsReport = Readonly<ReturnType<typeof findRepeatedCalls>>

/** In display order. */
export const FINDING_KINDS = ['repeat', 'duplicate', 'cycle', 'error', 'beyond', 'id'] as const

type FindingKind = (typeof FINDING_KINDS)[number]

/** A call or a result that belongs to a finding. */
export interface FindingOccurrence {
  readonly turn: number | undefined
  readonly message: number
  /** The result to show, if the finding is about results. */
  readonly result?: number
  /** The call, and the latest one before it that it repeats; undefined for the first occurrence. */
  readonly repeats?: readonly [call: number, earlier: number]
  /** Distance from the occurrence it repeats; undefined for the first occurrence. */
  readonly turnsApart?: number | undefined
  /** In milliseconds. */
  readonly timeApart?: number | undefined
  /** Undefined if one of them has no result. */
  readonly isSameResult?: boolean | undefined
  /** True if the call with the same id has the same name and arguments; undefined if the finding is not about ids. */
  readonly isSameCall?: boolean
  /** Tokens wasted; 0 for the first occurrence. */
  readonly tokens: number
  /** The guard that would have stopped it. */
  readonly guard?: Guard | undefined
}

export type LoopFinding = RepeatedCallsReport['findings'][number]

/** Returns the repeated calls of a conversation. Linear in the calls, except for the guards' history. */
export function findRepeatedCalls(
  conversation: ReadConversation,
  counts: ConversationCounts,
  countTokens: (text: string) => number,
  repair: RepairArgumentsText,
  options: RepeatedCallsOptions,
) {
  const { limits, signatureTurns, fewestErrors } = options
  const calls = callsOfTurns(conversation, repair)
  const results = resultsByCall(conversation, calls)
  const resultsOf = (call: number) => results.get(call) ?? []
  const tokensOfResults = (own: readonly number[]) =>
    own.reduce((sum, at) => sum + (counts.results[at] as number), 0)
  const tokensOf = (call: number) => tokensOfResults(resultsOf(call))
  const { times, timedTurns } = timesOfTurns(conversation)
  const turnTime = limits.signatureWindow / Math.max(1, signatureTurns)
  const resultTextOf = ({ at }: TurnCall) => {
    const own = results.get(at)
    return own && JSON.stringify(own.map((result) => conversation.resultTexts[result]))
  }
  const stopped = replayGuards(calls, (turn) => times?.[turn] ?? turn * turnTime, options)
  const guardOf = new Map(stopped.map(({ call, guard }) => [call, guard]))
  const callAt = (call: number) => conversation.calls[call] as ToolCall
  const occurrenceOf = (call: number, rest: Partial<FindingOccurrence> = {}): FindingOccurrence => {
    const { turn, message } = callAt(call)
    return { turn, message, guard: guardOf.get(call), tokens: 0, ...rest }
  }
  const finding = (
    kind: FindingKind,
    key: number,
    /** The repeated call, or the two calls that alternate. */
    own: readonly Pick<ToolCall, 'name' | 'argumentsPreview'>[],
    occurrences: readonly FindingOccurrence[],
    /** Wasted by all occurrences. */
    tokens = occurrences.reduce((sum, occurrence) => sum + occurrence.tokens, 0),
  ) => ({
    ...{ key: `${kind} ${key}`, kind, calls: own, occurrences, tokens },
    stopped: occurrences.filter(({ guard }) => guard !== undefined).length,
  })
  /** Calls of the same key. Each is compared with the latest one before it, whose result a guard would have saved. */
  const again = (kind: FindingKind, keyOf: (call: TurnCall) => string) =>
    [...groupBy(calls, keyOf).values()].flatMap((same) => {
      const first = (same[0] as TurnCall).at
      const later = same.slice(1).flatMap((call, before) => {
        const earlier = same[before] as TurnCall
        const turnsApart = call.turn - earlier.turn
        // A repeat in the same batch is a finding of its own.
        if (kind === 'repeat' && turnsApart === 0) return []
        const [now, then] = [times?.[call.turn], times?.[earlier.turn]]
        const timeApart = now === undefined || then === undefined ? undefined : now - then
        const [own, other] = [resultTextOf(call), resultTextOf(earlier)]
        const isKnown = own !== undefined && other !== undefined
        const compared =
          kind === 'id'
            ? { isSameCall: call.pending.signature === earlier.pending.signature }
            : { isSameResult: isKnown ? own === other : undefined }
        const [tokens, repeats] = [tokensOf(call.at), [call.at, earlier.at] as const]
        return [occurrenceOf(call.at, { repeats, turnsApart, timeApart, tokens, ...compared })]
      })
      if (later.length === 0) return []
      return [finding(kind, first, [callAt(first)], [occurrenceOf(first), ...later])]
    })
  const findings = [
    ...again('repeat', ({ pending }) => pending.signature),
    ...again('duplicate', ({ turn, pending }) => `${turn} ${pending.signature}`),
    // Calls that alternate waste the results after the first round.
    ...findPingPongs(calls.map(({ pending }) => pending.signature)).map(({ start, length }) => {
      const run = calls.slice(start, start + length).map(({ at }) => at)
      const occurrences = run.map((call) => occurrenceOf(call))
      const tokens = run.slice(PERIOD).reduce((sum, call) => sum + tokensOf(call), 0)
      const alternating = run.slice(0, PERIOD).map(callAt)
      return finding('cycle', run[0] as number, alternating, occurrences, tokens)
    }),
    ...repeatedErrorsOf(conversation, fewestErrors).map((same) => {
      const occurrences = same.map((result): FindingOccurrence => {
        const { message, turn } = conversation.results[result] as ToolResult
        return { message, turn, result, tokens: 0 }
      })
      const first = same[0] as number
      const named = { name: conversation.results[first]?.toolName, argumentsPreview: '' }
      return finding('error', first, [named], occurrences, tokensOfResults(same.slice(1)))
    }),
    ...batchesOf(calls).flatMap((batch) => {
      const beyond = batch.slice(limits.callsPerBatch).map(({ at }) => at)
      const occurrences = beyond.map((call) => occurrenceOf(call, { tokens: tokensOf(call) }))
      return beyond.slice(0, 1).map((call) => finding('beyond', call, [callAt(call)], occurrences))
    }),
    ...again('id', ({ pending }) => pending.id),
  ]
  const reusingId = new Set<number>()
  const lastOfId = new Map<string, string>()
  for (const { at, pending } of calls) {
    if ((lastOfId.get(pending.id) ?? pending.signature) !== pending.signature) reusingId.add(at)
    lastOfId.set(pending.id, pending.signature)
  }
  return {
    clock: times === undefined ? ('turn_order' as const) : ('timestamps' as const),
    /** Number of turns with a time. The guards use the transcript's times only if every turn has one. */
    timedTurns,
    /** Number of calls checked: those that have an id and belong to a turn. */
    calls: calls.length,
    /** Each stopped call is listed once, with the tokens of the results and those of the refusal sent instead. */
    stopped: stopped.map(({ refusal, ...one }) => ({
      ...one,
      results: resultsOf(one.call),
      tokens: tokensOf(one.call),
      refusalTokens: countTokens(refusal),
      /** True if the call before it with the same id has another name or other arguments. */
      hasReusedId: reusingId.has(one.call),
    })),
    findings,
  }
}

const PERIOD = 2
const FEWEST_ROUNDS = 2

/** Returns each longest run of A, B, A, B … with at least two rounds and A different from B. Linear, no overlap. */
export function findPingPongs(items: readonly string[]) {
  const runs: { start: number; length: number }[] = []
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
function resultsByCall({ results, calls: all }: ReadConversation, calls: readonly TurnCall[]) {
  const callsOfId = groupBy(calls, ({ pending }) => pending.id)
  const found = new Map<number, number[]>()
  for (const [index, { callId, message }] of results.entries()) {
    const known = callsOfId.get(callId as string)
    const isBefore = ({ at }: TurnCall) => (all[at] as ToolCall).message <= message
    const call = known?.findLast(isBefore) ?? known?.[0]
    if (call !== undefined) addToGroup(found, call.at, index)
  }
  return found
}

/** Times of the turns, never decreasing; undefined unless every turn has one. */
function timesOfTurns({ messages }: ReadConversation) {
  const turns = messages.filter(({ turn }) => turn !== undefined)
  const times = turns.flatMap(({ writtenAt }) => writtenAt ?? [])
  const timedTurns = times.length
  if (timedTurns === 0 || timedTurns < turns.length) return { times: undefined, timedTurns }
  for (let turn = 1; turn < timedTurns; turn++)
    times[turn] = Math.max(times[turn] as number, times[turn - 1] as number)
  return { times, timedTurns }
}

/** The results of a tool with the same error, for each error that occurs often enough. */
function repeatedErrorsOf({ results, resultTexts }: ReadConversation, fewest: number) {
  const errors = results.flatMap(({ errorRules }, at) => (looksLikeError(errorRules) ? [at] : []))
  const keyOf = (at: number) => JSON.stringify([results[at]?.toolName, resultTexts[at]])
  return [...groupBy(errors, keyOf).values()].filter(({ length }) => length >= Math.max(2, fewest))
}

/** Returns the calls that guards can check, in order: those that have an id and belong to a turn. */
function callsOfTurns(conversation: ReadConversation, repair: RepairArgumentsText): TurnCall[] {
  return conversation.calls.flatMap(({ id, name, turn }: ToolCall, at) => {
    if (id === undefined || turn === undefined) return []
    const text = conversation.callArguments[at] as string
    const call = { id, name: name ?? '', arguments: text }
    return [{ at, turn, pending: { ...call, signature: signature(call, repair) } }]
  })
}
