/** Alternatives to the current policy, and the facts of the cost report. */

import {
  type Alternative,
  type AlternativeSettings,
  DEFAULT_ALTERNATIVES,
  maskUnderWindow,
  sendAsCleared,
  sendEverything,
  summariseTurns,
  truncateResults,
} from '@/lib/core/replay/alternatives/alternatives'
import { DEFAULT_SUMMARIES } from '@/lib/core/replay/alternatives/summarise-session'
import { breakEven } from '@/lib/core/replay/recommend'
import type { Tokens } from '@/lib/core/replay/units'
import { type ReportFacts, toolCounts, writtenPolicy } from '@/lib/core/report/report-facts'
import { conversationOf, countsOf } from '../document/selectors'
import {
  type FindingGroup,
  historyFindingsOf,
  maskingFindingsOf,
} from '../integrity/history-findings'
import { isWindowSet } from '../policy/policy-facts'
import {
  current,
  decisionsOf,
  figuresOf,
  limitsOf,
  measureOf,
  preparedReplayOf,
  replayOf,
  unmaskedReplayOf,
} from '../policy/policy-view'
import { memoize, select } from '../select'
import type { PlaygroundState } from '../store'
import { lossFactsOf } from '../uses/risk'
import { chargedFactsOf } from './charged-session'
import { bookOf } from './chosen-model'
import { bandOf } from './cost-band'
import { costTermsOf, modelFactsOf, termsOf } from './cost-terms'
import { nonTextPartsOf } from './request-view'
import { bestPointOf, recommendationOf } from './session-advice'
import { calibrationFactsOf, sessionOf } from './shown-session'

const settingsOf = memoize(
  (summaryTokens: Tokens): AlternativeSettings => ({
    ...DEFAULT_ALTERNATIVES,
    summaries: { ...DEFAULT_ALTERNATIVES.summaries, summaryTokens },
  }),
)

// Selected one by one: a drag changes only the current policy, so only that is replayed again.
const everythingOf = select([preparedReplayOf, termsOf], (prepared, terms) =>
  sendEverything(prepared, terms),
)
const asClearedOf = select(
  [preparedReplayOf, termsOf],
  (prepared, terms) => sendAsCleared(prepared, terms)[0],
)
const asSetOf = select([preparedReplayOf, termsOf, current.windowOf], (prepared, terms, window) =>
  maskUnderWindow('as_set', prepared, terms, window),
)
const underAdviceOf = select([preparedReplayOf, termsOf, bestPointOf], (prepared, terms, window) =>
  maskUnderWindow('recommended', prepared, terms, window),
)
const recommendedOf = (state: PlaygroundState) =>
  isWindowSet(state.policy, bestPointOf(state)) ? undefined : underAdviceOf(state)
const truncatedOf = select([preparedReplayOf, termsOf], ({ session }, terms) =>
  truncateResults(session, terms, DEFAULT_ALTERNATIVES.truncation),
)
const summarisedOf = memoize((summaryTokens: Tokens) =>
  select([preparedReplayOf, termsOf], ({ session }, terms) =>
    summariseTurns(session, terms, settingsOf(summaryTokens).summaries),
  ),
)

/** The ways to send less that cost less than masking as recommended, or as set; undefined until they are replayed. */
export const cheaperThanMaskingOf = select(
  [truncatedOf, summarisedOf(DEFAULT_SUMMARIES.summaryTokens), recommendationOf, figuresOf],
  (truncated, summarised, advice, figures) => {
    const { total } = advice.state === 'mask' ? advice.point : { total: figures.after }
    const masked = total.costs.cached ?? 0
    const ways = [
      { id: 'truncated', cached: truncated.cached },
      { id: 'summarised', cached: summarised.cached },
    ] as const
    return ways.filter(({ cached = Infinity }) => cached < masked)
  },
)

/** The alternatives in the order in which they are shown; undefined where one does not apply. */
const alternativeSelectors = (summaryTokens: Tokens) =>
  [
    everythingOf,
    asClearedOf,
    asSetOf,
    recommendedOf,
    truncatedOf,
    summarisedOf(summaryTokens),
  ] as const

const applicable = memoize(
  (...alternatives: readonly (Alternative | undefined)[]): readonly Alternative[] =>
    alternatives.filter((alternative) => alternative !== undefined),
)

/** All alternatives for the shown session; undefined until it is replayed. */
export function alternativesOf(
  state: PlaygroundState,
  summaryTokens: Tokens,
): readonly Alternative[] | undefined {
  if (preparedReplayOf(state) === undefined || termsOf(state) === undefined) return undefined
  return applicable(...alternativeSelectors(summaryTokens).map((select) => select(state)))
}

/** Selectors of what takes long in a report, each of which remembers it. */
export function reportSteps(
  summaryTokens: Tokens,
): readonly ((state: PlaygroundState) => unknown)[] {
  return [
    unmaskedReplayOf,
    replayOf,
    recommendationOf,
    chargedFactsOf,
    calibrationFactsOf,
    lossFactsOf,
    historyFindingsOf,
    maskingFindingsOf,
    ...alternativeSelectors(summaryTokens),
  ]
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
  const band = bandOf(state)
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
    ...writtenPolicy(policy, hasNames),
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
    band,
    limits: limitsOf(state),
    history: {
      found: placesIn(historyFindingsOf(state)),
      added: placesIn(maskingFindingsOf(state)),
    },
  }
}
