/** The sessions of a file that is not open on the page: costs under a policy, and sums for every window and batch. */
import { addUp } from '@/lib/core/conversation/add-up'
import {
  type Conversation,
  type ReadConversation,
  type Usage,
  usagesOf,
} from '@/lib/core/conversation/conversation'
import { createFleetTotal } from '@/lib/core/fleet/fleet-total'
import {
  lastConversationOf,
  measureSession,
  prepareSessions,
  type ReadSession,
} from '@/lib/core/fleet/measure-sessions'
import type { SessionSums } from '@/lib/core/fleet/session-line'
import { sessionSums } from '@/lib/core/fleet/session-sums'
import { findRepeatedCalls } from '@/lib/core/loop/find-repeated-calls'
import { DEFAULT_REPEATED, repeatsByRequest, repeatsOf } from '@/lib/core/loop/repeats'
import { createArgumentRepair } from '@/lib/core/loop/signature'
import type { CountedConversation } from '@/lib/core/mask/measure-request'
import { measureCounted, sumTotals, totalsOf } from '@/lib/core/mask/measure-request'
import { asItRan, hasClearings, UNCHANGED } from '@/lib/core/mechanisms/as-it-ran'
import { addFigures, triedFigures, triedSettings } from '@/lib/core/mechanisms/best-settings'
import { readHistory } from '@/lib/core/mechanisms/history'
import { MECHANISMS } from '@/lib/core/mechanisms/mechanisms'
import { DEFAULT_POLICY } from '@/lib/core/policy/policy'
import { policyOfModel } from '@/lib/core/replay/cache-rules'
import { chargesOf, sumCharges } from '@/lib/core/replay/charged/explain-charges'
import { NO_WINDOW } from '@/lib/core/replay/prepare-replay'
import { type Recommendation, recommend, sessionCost } from '@/lib/core/replay/recommend'
import { createSessions } from '@/lib/core/replay/sessions'
import type { Steps } from '@/lib/core/steps'
import { findLaterUsesInSteps } from '@/lib/core/uses/find-later-uses'
import { sessionLimits } from '@/lib/core/uses/lost-uses'
import type { FileCosts, MeasureFileInput } from './file-jobs'

/** The sessions of counted conversations, with their later uses. Yields characters. */
export function* fileSessionsInSteps(
  conversations: readonly ReadConversation[],
  counted: readonly CountedConversation[],
): Generator<number, readonly ReadSession[]> {
  const slim = counted.map(({ conversation }) => conversation as Conversation)
  const counts = counted.map((one) => one.counts)
  const sessions = createSessions(slim, counts)
  const found: ReadSession[] = []
  for (const session of sessions) {
    const last = conversations[lastConversationOf(session)] as ReadConversation
    const uses = yield* findLaterUsesInSteps(session, last)
    found.push({ session, resultTexts: last.resultTexts, uses })
  }
  return found
}

/** One usage for each model and cache lifetime: enough to know which prices a file needs. */
export function distinctUsages(conversations: readonly Conversation[]): Usage[] {
  const keyOf = ({ model, cacheWriteHourTokens = 0 }: Usage) =>
    JSON.stringify([model, cacheWriteHourTokens > 0])
  const all = usagesOf(conversations).map((usage) => [keyOf(usage), usage] as const)
  return [...new Map(all).values()]
}

/** Measures a file's sessions. What does not depend on the window is measured again only if something else changed. */
export function createFileSessions(
  counted: readonly CountedConversation[],
  sessions: readonly ReadSession[],
  countTokens: (text: string) => number,
) {
  let last: (ReturnType<typeof measureAll> & { readonly key: string }) | undefined

  const measureAll = (input: MeasureFileInput, { terms, model, modelId }: FileCosts) => {
    const all: SessionSums[] = []
    const { sessions: prepared } = prepareSessions(
      sessions,
      policyOfModel(input.policy, modelId),
      countTokens,
      modelId,
    )
    const measured = prepared.map((one) => {
      const conversation = lastConversationOf(one.session)
      const place = { id: `${input.file}-${conversation}`, file: input.name, conversation, model }
      const sums = sessionSums(one, terms, place)
      all.push(sums)
      const charges = chargesOf(one.session, terms)
      const charge = sumCharges(charges)
      return {
        ...one,
        recommendation: recommendationOf([sums], input),
        charged: addUp([charge.inputCost, charge.outputCost]),
        answers: new Map(
          charges.flatMap(({ id, inputCost, outputCost }) => {
            const cost = addUp([inputCost, outputCost])
            return id === undefined || cost === undefined ? [] : [[id, cost] as const]
          }),
        ),
        sums: JSON.stringify(sums),
      }
    })
    return { sessions: measured, recommendation: recommendationOf(all, input) }
  }

  return (input: MeasureFileInput, costs: FileCosts) => {
    const { enabled: _, windowTurns: __, batchTurns: ___, ...rest } = input.policy
    const key = JSON.stringify([rest, costs, input.advice])
    if (last?.key !== key) last = { key, ...measureAll(input, costs) }
    const { sessions: all, recommendation } = last
    const window = input.policy.enabled ? input.policy : NO_WINDOW
    // Costs include answers; they are undefined if a price is unknown.
    const rows = all.map((one) => {
      const { requests, before, after, refetched } = measureSession(one, window, costs.terms)
      const { session } = one.prepared
      return {
        /** Index of its last conversation in the file. */
        conversation: lastConversationOf(session),
        turns: session.conversation.turnCount,
        requests: requests.length,
        /** Without prompt caching, and with it. */
        plain: { before: sessionCost(before, 'plain'), after: sessionCost(after, 'plain') },
        cached: { before: sessionCost(before), after: sessionCost(after) },
        /** Cost of fetching all lost results again. */
        again: refetched.cached,
        lostUses: refetched.uses,
        laterUses: one.uses.length,
        recommendation: one.recommendation,
        /** What the provider charged; undefined where it is not stated. */
        charged: one.charged,
        /** The part of it for each answer, by its id: a fork's file has answers of another file. */
        answers: one.answers,
        /** `SessionSums` as JSON: a string passes between threads at once, and nothing on the page reads it. */
        sums: one.sums,
      }
    })
    const policy = policyOfModel(input.policy, costs.modelId)
    const totals = all.flatMap(({ prepared: { session }, slope }) =>
      session.conversations.map((index) => {
        const one = counted[index] as CountedConversation
        const provider = { counts: session.counts, slope }
        return totalsOf(one.conversation, measureCounted(one, policy, countTokens, provider))
      }),
    )
    // The model is as it is shown, and as it was chosen or the file has it; the setting is for all sessions.
    const { model, modelId } = costs
    return { totals: sumTotals(totals), sessions: rows, recommendation, model, modelId }
  }
}

const ALL = [UNCHANGED, asItRan, ...MECHANISMS]
const SETTINGS = ALL.reduce((sum, mechanism) => sum + triedSettings(mechanism).length, 0)

export type FileComparison =
  ReturnType<typeof compareInSteps> extends Steps<infer Compared> ? Compared : never

/** Every mechanism at each of the settings that are tried. `onProgress` receives the share done. Yields characters. */
export function* compareInSteps(
  conversations: readonly ReadConversation[],
  sessions: readonly ReadSession[],
  countTokens: (text: string) => number,
  { terms, modelId }: FileCosts,
  onProgress: (done: number) => void,
) {
  const repair = createArgumentRepair()
  const policy = policyOfModel(DEFAULT_POLICY, modelId)
  const prepared = prepareSessions(sessions, policy, countTokens, modelId).sessions
  const all = prepared.map(({ session: counted, prepared: { session }, slope, uses }) => {
    const own = conversations[lastConversationOf(counted)] as ReadConversation
    const report = findRepeatedCalls(own, counted.counts, countTokens, repair, DEFAULT_REPEATED)
    const history = readHistory({ session, counted }, own, countTokens, uses, slope)
    return { history, terms, repeated: repeatsByRequest(repeatsOf(own, report), session) }
  })
  // A longer window cannot cost less.
  const limits = prepared.map((one) => sessionLimits(one.prepared, one.losable, 1, terms).any?.cost)
  const figures: Record<string, Float64Array> = {}
  let done = 0
  for (const mechanism of ALL) {
    const own: Float64Array[] = []
    for (const one of all) {
      own.push(yield* triedFigures(one, mechanism))
      done += triedSettings(mechanism).length / all.length
      onProgress(done / SETTINGS)
    }
    if (own.length > 0) figures[mechanism.id] = addFigures(own)
  }
  return {
    /** By mechanism, and of no change, as `triedFigures` gives them for a session. */
    figures,
    sessions: all.length,
    laterUses: all.reduce((sum, { history }) => sum + history.uses.length, 0),
    hasClearings: all.some(({ history }) => hasClearings(history)),
    /** A cost, the first of the figures, is no number if a price is unknown. */
    isPriced: !Number.isNaN(figures[UNCHANGED.id]?.[0]),
    /** The least that Schema 1 can cost; undefined if it is unknown. */
    limit: addUp([0, ...limits]),
  }
}

/** Totals of a file under a policy. */
export interface FileMeasure extends ReturnType<ReturnType<typeof createFileSessions>> {
  readonly formatLabel: string
  /** Number of problems found while reading. */
  readonly problems: number
  /** The tools that its results are from. */
  readonly tools: readonly string[]
  /** The mechanisms on it, where that was asked for; the policy plays no part. */
  readonly compared: FileComparison | undefined
}

export type SessionMeasure = FileMeasure['sessions'][number]

function recommendationOf(
  sums: readonly SessionSums[],
  { advice }: Pick<MeasureFileInput, 'advice'>,
): Recommendation {
  const total = createFleetTotal()
  for (const one of sums) total.add(one)
  return recommend(total.sweep(), total.sum.uses, advice)
}
