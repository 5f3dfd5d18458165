/** Alternatives to the current policy, and the facts of the cost report. */

import {
  type Alternative,
  type AlternativeSettings,
  DEFAULT_ALTERNATIVES,
  maskUnderWindow,
  sendEverything,
  summariseTurns,
  truncateResults,
} from '@/lib/core/replay/alternatives/alternatives'
import { type MaskWindow, maskingPlan } from '@/lib/core/replay/masking-plan'
import type { PreparedReplay } from '@/lib/core/replay/prepare-replay'
import { breakEven, type Recommendation } from '@/lib/core/replay/recommend'
import type { CostTerms } from '@/lib/core/replay/request-terms'
import type { Session } from '@/lib/core/replay/sessions'
import type { Tokens } from '@/lib/core/replay/units'
import { type ReportFacts, toolCounts, withoutNames } from '@/lib/core/report/report-facts'
import { conversationOf, countsOf } from '../document/selectors'
import {
  type FindingGroup,
  historyFindingsOf,
  maskingFindingsOf,
} from '../integrity/history-findings'
import {
  decisionsOf,
  figuresOf,
  measureOf,
  preparedReplayOf,
  replayOf,
  unmaskedReplayOf,
} from '../policy/policy-view'
import { memoize } from '../select'
import type { PlaygroundState } from '../store'
import { lossFactsOf } from '../uses/risk'
import { chargedFactsOf } from './charged-session'
import { bookOf } from './chosen-model'
import { costTermsOf, modelFactsOf } from './cost-terms'
import { nonTextPartsOf } from './request-view'
import { recommendationOf } from './session-advice'
import { calibrationFactsOf, sessionOf } from './shown-session'

const settingsOf = memoize(
  (summaryTokens: Tokens): AlternativeSettings => ({
    ...DEFAULT_ALTERNATIVES,
    summaries: { ...DEFAULT_ALTERNATIVES.summaries, summaryTokens },
  }),
)

// Memoized separately: a drag changes only the current policy, so only that is replayed again.
const everything = memoize((preparedReplay: PreparedReplay, terms: CostTerms) =>
  sendEverything(preparedReplay, terms),
)
const asSet = memoize(
  (preparedReplay: PreparedReplay, terms: CostTerms, windowTurns: number, batchTurns: number) =>
    maskUnderWindow('as_set', preparedReplay, terms, { windowTurns, batchTurns }),
)
const recommended = memoize(
  (preparedReplay: PreparedReplay, terms: CostTerms, window: MaskWindow) =>
    maskUnderWindow('recommended', preparedReplay, terms, window),
)
const truncated = memoize((session: Session, terms: CostTerms, settings: AlternativeSettings) =>
  truncateResults(session, terms, settings.truncation),
)
const summarised = memoize((session: Session, terms: CostTerms, settings: AlternativeSettings) =>
  summariseTurns(session, terms, settings.summaries),
)
const applicable = memoize(
  (...alternatives: readonly (Alternative | undefined)[]): readonly Alternative[] =>
    alternatives.filter((alternative) => alternative !== undefined),
)

type Replayable = Pick<PlaygroundState, 'policy'> & {
  readonly prepared: PreparedReplay
  readonly terms: CostTerms
  readonly advice: Recommendation | undefined
}

/** The alternatives in the order in which they are shown; undefined where one does not apply. */
const ALTERNATIVES: readonly ((
  inputs: Replayable,
  summaryTokens: Tokens,
) => Alternative | undefined)[] = [
  ({ prepared, terms }) => everything(prepared, terms),
  ({ prepared, terms, policy: { enabled, windowTurns, batchTurns } }) =>
    asSet(prepared, terms, enabled ? windowTurns : 0, batchTurns),
  ({ prepared, terms, advice, policy: { enabled, windowTurns, batchTurns } }) => {
    const window = advice && advisedWindow(advice)
    const isSet = enabled && window?.windowTurns === windowTurns && window.batchTurns === batchTurns
    return window === undefined || isSet ? undefined : recommended(prepared, terms, window)
  },
  ({ prepared, terms }, summaryTokens) =>
    truncated(prepared.session, terms, settingsOf(summaryTokens)),
  ({ prepared, terms }, summaryTokens) =>
    summarised(prepared.session, terms, settingsOf(summaryTokens)),
]

function replayableOf(state: PlaygroundState): Replayable | undefined {
  const prepared = preparedReplayOf(state)
  const terms = costTermsOf(state)?.terms
  if (prepared === undefined || terms === undefined) return undefined
  return { policy: state.policy, prepared, terms, advice: recommendationOf(state) }
}

/** All alternatives for the shown session; undefined until it is replayed. */
export function alternativesOf(
  state: PlaygroundState,
  summaryTokens: Tokens,
): readonly Alternative[] | undefined {
  const inputs = replayableOf(state)
  return (
    inputs && applicable(...ALTERNATIVES.map((alternative) => alternative(inputs, summaryTokens)))
  )
}

function planOf(state: PlaygroundState): unknown {
  const prepared = preparedReplayOf(state)
  return prepared && maskingPlan(prepared)
}

/** Selectors of what takes long in a report, each of which remembers it. */
export function reportSteps(
  summaryTokens: Tokens,
): readonly ((state: PlaygroundState) => unknown)[] {
  return [
    planOf,
    unmaskedReplayOf,
    replayOf,
    recommendationOf,
    chargedFactsOf,
    calibrationFactsOf,
    lossFactsOf,
    historyFindingsOf,
    maskingFindingsOf,
    ...ALTERNATIVES.map((alternative) => (state: PlaygroundState) => {
      const inputs = replayableOf(state)
      return inputs && alternative(inputs, summaryTokens)
    }),
  ]
}

/** The cheapest window that masks, even if masking is not advised. */
function advisedWindow(advice: Recommendation): MaskWindow | undefined {
  switch (advice.state) {
    case 'mask':
      return advice.point
    case 'do_not_mask':
      return advice.cheapest?.point
    case 'no_results':
    case 'nothing_maskable':
    case 'price_unknown':
      return undefined
  }
}

function placesIn(groups: readonly FindingGroup[]): number {
  return groups.reduce((total, { places }) => total + places.length, 0)
}

/** The facts of a report on the shown session; undefined until all of them are computed. */
export function reportFactsOf(
  state: PlaygroundState,
  {
    day,
    hasNames,
    summaryTokens,
  }: { readonly day: string; readonly hasNames: boolean; readonly summaryTokens: Tokens },
): ReportFacts | undefined {
  const { read, policy } = state
  const priceBook = bookOf(state)
  const conversation = conversationOf(state)
  const session = sessionOf(state)
  const terms = costTermsOf(state)
  const replayed = replayOf(state)
  const alternatives = alternativesOf(state, summaryTokens)
  const recommendation = recommendationOf(state)
  const measure = measureOf(state)
  const breaks = figuresOf(state)?.prefixBreaks
  const counts = countsOf(state)?.[state.conversation]
  const decisions = decisionsOf(state)?.[state.conversation]
  if (!read || !conversation || !session || !terms || !replayed || !alternatives) return undefined
  if (!recommendation || !measure || !counts || !decisions || breaks === undefined) return undefined
  return {
    day,
    measured: {
      format: read.model.formatLabel,
      messages: conversation.messages.length,
      turns: conversation.turnCount,
      results: conversation.results.length,
      origin: session.origin,
      nonTextParts: nonTextPartsOf(state),
    },
    names: hasNames
      ? { file: read.source.name, tools: toolCounts(conversation, counts, decisions) }
      : undefined,
    ...(hasNames
      ? { policy, unnamed: { excludeTools: 0, errorPatterns: 0 } }
      : withoutNames(policy)),
    ...modelFactsOf(terms, priceBook),
    hasExpiry:
      terms.terms.rule.kind !== 'none' &&
      terms.terms.rule.lifetimeSeconds !== undefined &&
      session.requests.some(({ sentAt }) => sentAt !== undefined),
    charged: chargedFactsOf(state),
    calibration: calibrationFactsOf(state),
    nextRequest: measure.tokens,
    replayed,
    prefixBreaks: breaks,
    alternatives,
    alternativeSettings: settingsOf(summaryTokens),
    recommendation,
    advice: state.advice,
    breakEven: {
      plain: breakEven(replayed, 'plain'),
      cached: breakEven(replayed, 'cached'),
    },
    losses: lossFactsOf(state),
    history: {
      found: placesIn(historyFindingsOf(state)),
      added: placesIn(maskingFindingsOf(state)),
    },
  }
}
