/** Findings of the Tool calls drawer: groups of related calls from the worker's report. */
import { addToGroup } from '@/lib/core/conversation/add-to-group'
import type { Conversation, ToolCall } from '@/lib/core/conversation/conversation'
import type {
  RepeatedCall,
  RepeatedCallsReport,
  RepeatedId,
} from '@/lib/core/loop/find-repeated-calls'
import type { Guard } from '@/lib/core/loop/tool-call-manager'
import { conversationOf } from '../document/selectors'
import { select } from '../select'
import { loopReportOf } from './repeated-calls'

/** In display order. */
export const FINDING_KINDS = ['repeat', 'duplicate', 'cycle', 'error', 'beyond', 'id'] as const

type LoopFindingKind = (typeof FINDING_KINDS)[number]

/** A call or a result that belongs to a finding. */
export interface FindingOccurrence {
  readonly turn: number | undefined
  readonly message: number
  /** The result to show, if the finding is about results. */
  readonly result?: number
  /** Distance from the occurrence it repeats; undefined for the first occurrence. */
  readonly turnsApart?: number | undefined
  /** In milliseconds. */
  readonly timeApart?: number | undefined
  readonly isSameResult?: boolean | undefined
  /** True if the call with the same id has the same name and arguments; undefined if the finding is not about ids. */
  readonly isSameCall?: boolean
  /** Tokens wasted; 0 for the first occurrence. */
  readonly tokens: number
  /** The guard that would have stopped it. */
  readonly guard?: Guard | undefined
}

export interface LoopFinding {
  readonly key: string
  readonly kind: LoopFindingKind
  /** The repeated call, or the two calls that alternate. */
  readonly calls: readonly Pick<ToolCall, 'name' | 'argumentsPreview'>[]
  readonly occurrences: readonly FindingOccurrence[]
  /** Tokens wasted by all occurrences. */
  readonly tokens: number
  /** Number of occurrences that a guard would have stopped. */
  readonly stopped: number
}

/** All findings, by kind and then in conversation order. */
export function loopFindings(
  conversation: Conversation,
  report: RepeatedCallsReport,
): LoopFinding[] {
  const guardOf = new Map(report.stopped.map(({ call, guard }) => [call, guard]))
  const callAt = (call: number) => conversation.calls[call] as ToolCall
  const occurrenceOf = (call: number, rest: Partial<FindingOccurrence> = {}): FindingOccurrence => {
    const { turn, message } = callAt(call)
    return { turn, message, guard: guardOf.get(call), tokens: 0, ...rest }
  }
  const made = (
    kind: LoopFindingKind,
    key: number,
    calls: LoopFinding['calls'],
    occurrences: readonly FindingOccurrence[],
    tokens = occurrences.reduce((sum, occurrence) => sum + occurrence.tokens, 0),
  ): LoopFinding => ({
    ...{ key: `${kind} ${key}`, kind, calls, occurrences, tokens },
    stopped: occurrences.filter(({ guard }) => guard !== undefined).length,
  })
  const again = (
    kind: LoopFindingKind,
    repeats: readonly Again[],
    isShown = (_: Again) => true,
  ): LoopFinding[] =>
    [...chains(repeats)].flatMap(([first, all]) => {
      const later = all.filter(isShown)
      if (later.length === 0) return []
      const occurrences = later.map(({ call, earlier: _, ...rest }) => occurrenceOf(call, rest))
      return [made(kind, first, [callAt(first)], [occurrenceOf(first), ...occurrences])]
    })
  const { repeats, repeatedIds, overLimit, pingPongs, repeatedErrors } = report
  const byTurn = new Map<number, (typeof overLimit)[number][]>()
  for (const beyond of overLimit) addToGroup(byTurn, beyond.turn, beyond)
  const isInBatch = (repeat: Again) => 'isSameBatch' in repeat && repeat.isSameBatch
  return [
    // A repeat in the same batch is a separate finding.
    ...again('repeat', repeats, (repeat) => !isInBatch(repeat)),
    ...again('duplicate', repeats.filter(isInBatch)),
    ...pingPongs.map(({ calls, tokens }) => {
      const occurrences = calls.map((call) => occurrenceOf(call))
      return made('cycle', calls[0] as number, calls.slice(0, 2).map(callAt), occurrences, tokens)
    }),
    ...repeatedErrors.map(({ results, tokens, toolName }) => {
      const occurrences = results.map((result): FindingOccurrence => {
        const { message = 0, turn } = conversation.results[result] ?? {}
        return { message, turn, result, tokens: 0 }
      })
      const named = { name: toolName, argumentsPreview: '' }
      return made('error', results[0] as number, [named], occurrences, tokens)
    }),
    ...[...byTurn.values()].map((beyond) => {
      const first = (beyond[0] as (typeof overLimit)[number]).call
      const occurrences = beyond.map(({ call, tokens }) => occurrenceOf(call, { tokens }))
      return made('beyond', first, [callAt(first)], occurrences)
    }),
    ...again('id', repeatedIds),
  ]
}

type Again = RepeatedCall | RepeatedId

/** Groups repeats by their first call. */
function chains(repeats: readonly Again[]): ReadonlyMap<number, readonly Again[]> {
  const firstOf = new Map<number, number>()
  const found = new Map<number, Again[]>()
  for (const repeat of repeats) {
    const first = firstOf.get(repeat.earlier) ?? repeat.earlier
    firstOf.set(repeat.call, first)
    addToGroup(found, first, repeat)
  }
  return found
}

/** Findings in the shown conversation; undefined until the worker answers. */
export const findingsOf = select([conversationOf, loopReportOf], loopFindings)
