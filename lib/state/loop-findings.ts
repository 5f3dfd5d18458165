/** What was found in a conversation, one finding for all that belongs together; from the worker's report. */
import type { Conversation, ToolCall } from '@/lib/core/conversation/conversation'
import type { Guard } from '@/lib/core/loop/limits'
import type { LoopReport, RepeatedCall, RepeatedId } from '@/lib/core/loop/loop-report'
import { loopReportOf } from './loop'
import { remembered } from './remembered'
import { conversationOf } from './selectors'
import type { PlaygroundState } from './store'

/** In the order in which they are listed. */
export const FINDING_KINDS = ['repeat', 'duplicate', 'cycle', 'error', 'beyond', 'id'] as const

export type FindingKind = (typeof FINDING_KINDS)[number]

/** A call or a result of a finding, where it stands. */
export interface FindingPlace {
  readonly turn: number | undefined
  readonly message: number
  /** The result to show, where the finding is about one. */
  readonly result: number | undefined
  /** From the place it repeats; undefined for the first of a finding. */
  readonly turnsApart: number | undefined
  /** In milliseconds. */
  readonly timeApart: number | undefined
  readonly isSameResult: boolean | undefined
  /** Whether the call with the same id does the same; undefined where the finding is not about ids. */
  readonly isSameCall: boolean | undefined
  /** Wasted; 0 for the first of a finding. */
  readonly tokens: number
  /** By which it would have been stopped. */
  readonly guard: Guard | undefined
}

export interface Finding {
  readonly key: string
  readonly kind: FindingKind
  /** What is done again and again: one call, or the two that take turns. */
  readonly calls: readonly Pick<ToolCall, 'name' | 'argumentsPreview'>[]
  readonly places: readonly FindingPlace[]
  /** Wasted by all places. */
  readonly tokens: number
  /** Places a guard would have stopped. */
  readonly stopped: number
}

/** Everything that was found, by kind and then in the order of the conversation. */
export function findings(conversation: Conversation, report: LoopReport): Finding[] {
  const guardOf = new Map(report.stopped.map(({ call, guard }) => [call, guard]))
  const callAt = (call: number) => conversation.calls[call] as ToolCall
  const placeOf = (call: number): FindingPlace => {
    const { turn, message } = callAt(call)
    return { ...EMPTY_PLACE, turn, message, guard: guardOf.get(call) }
  }
  const made = (
    kind: FindingKind,
    key: number,
    calls: readonly number[],
    places: readonly FindingPlace[],
    tokens = places.reduce((sum, place) => sum + place.tokens, 0),
  ): Finding => ({
    key: `${kind} ${key}`,
    kind,
    calls: calls.map(callAt),
    places,
    tokens,
    stopped: places.filter(({ guard }) => guard !== undefined).length,
  })
  const again = (kind: FindingKind, chained: readonly Chain<Again>[]) =>
    chained.map(([first, later]) =>
      made(
        kind,
        first,
        [first],
        [
          placeOf(first),
          ...later.map((repeat) => ({
            ...placeOf(repeat.call),
            turnsApart: repeat.turnsApart,
            timeApart: repeat.timeApart,
            isSameResult: 'isSameResult' in repeat ? repeat.isSameResult : undefined,
            isSameCall: 'isSameCall' in repeat ? repeat.isSameCall : undefined,
            tokens: repeat.tokens,
          })),
        ],
      ),
    )
  const { repeats, repeatedIds, beyondLimit, pingPongs, repeatedErrors } = report
  return [
    ...again('repeat', withoutTwins(chains(repeats))),
    ...again('duplicate', chains(repeats.filter(({ isSameBatch }) => isSameBatch))),
    ...pingPongs.map(({ calls, tokens }) =>
      made('cycle', calls[0] as number, calls.slice(0, 2), calls.map(placeOf), tokens),
    ),
    ...repeatedErrors.map(({ results, tokens, toolName }) => {
      const places = results.map((at) => {
        const result = conversation.results[at]
        const { message = 0, turn } = result ?? {}
        return { ...EMPTY_PLACE, message, turn, result: at }
      })
      const first = results[0] as number
      const named = { name: toolName, argumentsPreview: '' }
      return { ...made('error', first, [], places, tokens), calls: [named] }
    }),
    ...byTurn(beyondLimit).map((beyond) => {
      const calls = beyond.map(({ call }) => call)
      const places = beyond.map(({ call, tokens }) => ({ ...placeOf(call), tokens }))
      return made('beyond', calls[0] as number, calls.slice(0, 1), places)
    }),
    ...again('id', chains(repeatedIds)),
  ]
}

type Again = RepeatedCall | RepeatedId

const EMPTY_PLACE: FindingPlace = {
  turn: undefined,
  message: 0,
  result: undefined,
  turnsApart: undefined,
  timeApart: undefined,
  isSameResult: undefined,
  isSameCall: undefined,
  tokens: 0,
  guard: undefined,
}

type Chain<One> = readonly [first: number, later: readonly One[]]

/** Repeats that lead back to the same first call. */
function chains<One extends Again>(repeats: readonly One[]): Chain<One>[] {
  const firstOf = new Map<number, number>()
  const found = new Map<number, One[]>()
  for (const repeat of repeats) {
    const first = firstOf.get(repeat.earlier) ?? repeat.earlier
    firstOf.set(repeat.call, first)
    const own = found.get(first)
    if (own === undefined) found.set(first, [repeat])
    else own.push(repeat)
  }
  return [...found]
}

/** What stands in the batch of what it repeats is a finding of its own. */
function withoutTwins(chained: readonly Chain<RepeatedCall>[]): Chain<RepeatedCall>[] {
  return chained
    .map(([first, later]) => [first, later.filter(({ isSameBatch }) => !isSameBatch)] as const)
    .filter(([, later]) => later.length > 0)
}

function byTurn<One extends { readonly turn: number }>(all: readonly One[]): (readonly One[])[] {
  const found = new Map<number, One[]>()
  for (const one of all) {
    const own = found.get(one.turn)
    if (own === undefined) found.set(one.turn, [one])
    else own.push(one)
  }
  return [...found.values()]
}

const rememberedFindings = remembered(findings)

/** What was found in the conversation shown; undefined while the worker has it. */
export function findingsOf(state: PlaygroundState): readonly Finding[] | undefined {
  const conversation = conversationOf(state)
  const report = loopReportOf(state)
  return conversation && report && rememberedFindings(conversation, report)
}

export type FindingOrder = 'place' | 'times' | 'tokens' | 'stopped'

/** The findings of one kind, or of all kind by kind; within a kind in the order asked for. */
export function sortedFindings(
  all: readonly Finding[],
  kind: FindingKind | 'all',
  order: FindingOrder,
): readonly Finding[] {
  const shown = kind === 'all' ? all : all.filter((finding) => finding.kind === kind)
  const weightOf = (finding: Finding): number => {
    switch (order) {
      case 'place':
        return -(finding.places[0]?.message ?? 0)
      case 'times':
        return finding.places.length
      case 'tokens':
        return finding.tokens
      case 'stopped':
        return finding.stopped
    }
  }
  const rank = (finding: Finding) => FINDING_KINDS.indexOf(finding.kind)
  return [...shown].sort(
    (first, second) => rank(first) - rank(second) || weightOf(second) - weightOf(first),
  )
}

/** Messages something was found in; `true` where a guard would have stopped a call of it. */
const marks = remembered(
  (conversation: Conversation, all: readonly Finding[], report: LoopReport) => {
    const marked = new Map<number, boolean>()
    for (const { kind, places } of all)
      for (const [at, { message }] of places.entries())
        if (at > 0 || kind === 'beyond') marked.set(message, false)
    for (const { call } of report.stopped) {
      const message = conversation.calls[call]?.message
      if (message !== undefined) marked.set(message, true)
    }
    return marked
  },
)

/** What the timeline marks: by message, whether a guard would have stopped a call of it. */
export function loopMarksOf(state: PlaygroundState): ReadonlyMap<number, boolean> | undefined {
  const conversation = conversationOf(state)
  const report = loopReportOf(state)
  const all = findingsOf(state)
  return conversation && report && all && marks(conversation, all, report)
}
