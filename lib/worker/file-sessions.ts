/** The sessions of a file that is not open on the page: costs under a policy, and sums for every window and batch. */
import type { Conversation, ReadConversation } from '@/lib/core/conversation/conversation'
import type { Usage } from '@/lib/core/conversation/usage'
import { createFleetTotal } from '@/lib/core/fleet/fleet-total'
import { type SessionSums, sessionSums } from '@/lib/core/fleet/session-sums'
import {
  type CountedConversation,
  measureCounted,
  sumTotals,
  totalsOf,
} from '@/lib/core/mask/measure-request'
import { assumedCalibrationOf } from '@/lib/core/replay/calibration/assumed-slope'
import { fitSessions } from '@/lib/core/replay/calibration/calibrate-session'
import { chargesOf, sumCharges } from '@/lib/core/replay/charged/charge'
import { type PreparedReplay, prepareReplay } from '@/lib/core/replay/prepare-replay'
import { type Recommendation, recommend, sessionCost } from '@/lib/core/replay/recommend'
import { NO_WINDOW, type ReplaySide, replayPrepared } from '@/lib/core/replay/replay'
import { createSessions, type Session } from '@/lib/core/replay/sessions'
import type { Usd } from '@/lib/core/replay/units'
import { findLaterUsesInSteps, type LaterUse } from '@/lib/core/uses/find-later-uses'
import { type LosableUse, losableUses, lostUsesAt } from '@/lib/core/uses/lost-uses'
import { refetchCosts } from '@/lib/core/uses/refetch-costs'
import type { FileCosts, MeasureFileInput, SessionMeasure } from './file-jobs'

export interface FileSession {
  readonly session: Session
  readonly uses: readonly LaterUse[]
}

/** The sessions of counted conversations, with their later uses. Yields characters. */
export function* fileSessionsInSteps(
  conversations: readonly ReadConversation[],
  counted: readonly CountedConversation[],
): Generator<number, readonly FileSession[]> {
  const slim = counted.map(({ conversation }) => conversation as Conversation)
  const sessions = createSessions(
    slim,
    counted.map(({ counts }) => counts),
  )
  const found: FileSession[] = []
  for (const session of sessions) {
    const last = conversations[session.conversations.at(-1) as number] as ReadConversation
    found.push({ session, uses: yield* findLaterUsesInSteps(session, last) })
  }
  return found
}

/** One usage for each model and cache lifetime: enough to know which prices a file needs. */
export function distinctUsages(conversations: readonly Conversation[]): Usage[] {
  const known = new Map<string, Usage>()
  const add = (usage: Usage | undefined) => {
    if (usage !== undefined)
      known.set(JSON.stringify([usage.model, (usage.cacheWriteHourTokens ?? 0) > 0]), usage)
  }
  for (const { messages, answerUsage } of conversations) {
    for (const { usage } of messages) add(usage)
    add(answerUsage)
  }
  return [...known.values()]
}

/** A session prepared for replays, with its sums as JSON: strings pass between threads at once. */
interface MeasuredSession {
  /** The provider's tokens for one of ours. */
  readonly slope: number
  readonly prepared: PreparedReplay
  readonly losable: readonly LosableUse[]
  readonly laterUses: number
  readonly recommendation: Recommendation
  readonly charged: Usd | undefined
  readonly sums: string
}

interface MeasuredSessions {
  readonly key: string
  readonly sessions: readonly MeasuredSession[]
  readonly recommendation: Recommendation
}

/** Measures a file's sessions. What does not depend on the window is measured again only if something else changed. */
export function createFileSessions(
  counted: readonly CountedConversation[],
  sessions: readonly FileSession[],
  countTokens: (text: string) => number,
) {
  let last: MeasuredSessions | undefined

  const measured = (input: MeasureFileInput, costs: FileCosts): MeasuredSessions => {
    const { enabled: _, windowTurns: __, batchTurns: ___, ...rest } = input.policy
    const key = JSON.stringify([rest, costs, input.advice])
    if (last?.key === key) return last
    const assumed = assumedCalibrationOf(costs.modelId)
    const fits = fitSessions(
      sessions.map(({ session }) => session),
      assumed?.slope,
    )
    const all: SessionSums[] = []
    const measuredSessions = sessions.map(({ session, uses }, index): MeasuredSession => {
      const conversation = session.conversations.at(-1) as number
      const texts = (counted[conversation] as CountedConversation).resultTexts
      const calibration = fits[index] ?? assumed
      const prepared = prepareReplay(
        session,
        input.policy,
        {
          textOf: (result) => texts[result]?.join('') ?? '',
          placeholderTokensOf: (_, placeholder) => countTokens(placeholder),
        },
        calibration,
      )
      const losable = losableUses(uses, prepared, {
        template: input.policy.placeholderTemplate,
        resultTokens: session.counts.results,
      })
      const { terms, model } = costs
      const place = { id: `${input.file}-${conversation}`, file: input.name, conversation, model }
      const sums = sessionSums(prepared, { all: uses, losable }, terms, place)
      all.push(sums)
      const charge = sumCharges(chargesOf(session, terms))
      return {
        slope: calibration?.slope ?? 1,
        prepared,
        losable,
        laterUses: uses.length,
        recommendation: recommendationOf([sums], input),
        charged: plus(charge.inputCost, charge.outputCost),
        sums: JSON.stringify(sums),
      }
    })
    last = { key, sessions: measuredSessions, recommendation: recommendationOf(all, input) }
    return last
  }

  return (input: MeasureFileInput, costs: FileCosts) => {
    const { sessions: all, recommendation } = measured(input, costs)
    const window = input.policy.enabled ? input.policy : NO_WINDOW
    const rows = all.map(({ slope: _, prepared, losable, ...one }): SessionMeasure => {
      const { requests, before, after } = replayPrepared(prepared, window, costs.terms)
      const { session } = prepared
      return {
        conversation: session.conversations.at(-1) as number,
        turns: session.conversation.turnCount,
        requests: requests.length,
        plain: { before: plainCost(before), after: plainCost(after) },
        cached: { before: sessionCost(before), after: sessionCost(after) },
        again: refetchCosts(prepared, losable, costs.terms)(window).cached,
        lostUses: lostUsesAt(losable, window).length,
        ...one,
      }
    })
    const totals = all.flatMap(({ prepared: { session }, slope }) =>
      session.conversations.map((index) => {
        const one = counted[index] as CountedConversation
        const provider = { counts: session.counts, slope }
        return totalsOf(one.conversation, measureCounted(one, input.policy, countTokens, provider))
      }),
    )
    const { model, modelId } = costs
    return { totals: sumTotals(totals), sessions: rows, recommendation, model, modelId }
  }
}

function recommendationOf(
  sums: readonly SessionSums[],
  { advice }: Pick<MeasureFileInput, 'advice'>,
): Recommendation {
  const total = createFleetTotal()
  for (const one of sums) total.add(one)
  return recommend(total.sweep(), total.sum.uses, advice)
}

function plainCost({ costs }: ReplaySide): Usd | undefined {
  return plus(costs.plain, costs.output)
}

function plus(one: Usd | undefined, other: Usd | undefined): Usd | undefined {
  return one === undefined || other === undefined ? undefined : one + other
}
