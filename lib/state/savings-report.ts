/** What the drawer and the report of savings show beside the replay: strategies side by side, and a report's facts. */
import type { MaskFacts } from '@/lib/core/replay/mask-facts'
import { breakEven, type Recommendation } from '@/lib/core/replay/recommend'
import type { CostTerms } from '@/lib/core/replay/replay'
import type { MaskWindow } from '@/lib/core/replay/request-states'
import type { Session } from '@/lib/core/replay/requests'
import {
  DEFAULT_STRATEGIES,
  maskWindow,
  type Strategy,
  type StrategySettings,
  sendEverything,
  summariseTurns,
  truncateResults,
} from '@/lib/core/replay/strategies'
import type { Tokens } from '@/lib/core/replay/units'
import { type ReportFacts, toolCounts } from '@/lib/core/report/report-facts'
import { familyOf } from './models'
import { remembered } from './remembered'
import { nonTextPartsOf } from './request-facts'
import { factsOf, prefixBreaksOf, recommendationOf, replayOf, sessionOf } from './savings'
import { termsOf } from './savings-terms'
import { conversationOf, countsOf, decisionsOf, measureOf } from './selectors'
import type { PlaygroundState } from './store'

const settingsOf = remembered(
  (summaryTokens: Tokens): StrategySettings => ({
    ...DEFAULT_STRATEGIES,
    summaries: { ...DEFAULT_STRATEGIES.summaries, summaryTokens },
  }),
)

// Each remembers its own: a drag changes what is set, and nothing else is worked out anew.
const everything = remembered((facts: MaskFacts, terms: CostTerms) => sendEverything(facts, terms))
const asSet = remembered(
  (facts: MaskFacts, terms: CostTerms, windowTurns: number, batchTurns: number) =>
    maskWindow('as_set', facts, terms, { windowTurns, batchTurns }),
)
const recommended = remembered((facts: MaskFacts, terms: CostTerms, window: MaskWindow) =>
  maskWindow('recommended', facts, terms, window),
)
const others = remembered((session: Session, terms: CostTerms, settings: StrategySettings) => [
  truncateResults(session, terms, settings.truncation),
  summariseTurns(session, terms, settings.summaries),
])
const together = remembered(
  (
    whole: Strategy,
    set: Strategy,
    advised: Strategy | undefined,
    rest: readonly Strategy[],
  ): readonly Strategy[] => [whole, set, ...(advised ? [advised] : []), ...rest],
)

/** All strategies on the session shown; undefined until it is replayed. */
export function strategiesOf(
  state: PlaygroundState,
  summaryTokens: Tokens,
): readonly Strategy[] | undefined {
  const facts = factsOf(state)
  const terms = termsOf(state)?.terms
  if (facts === undefined || terms === undefined) return undefined
  const { enabled, windowTurns, batchTurns } = state.policy
  const advice = recommendationOf(state)
  const window = advice && advisedWindow(advice)
  const isSet = enabled && window?.windowTurns === windowTurns && window.batchTurns === batchTurns
  return together(
    everything(facts, terms),
    asSet(facts, terms, enabled ? windowTurns : 0, batchTurns),
    window === undefined || isSet ? undefined : recommended(facts, terms, window),
    others(facts.session, terms, settingsOf(summaryTokens)),
  )
}

/** The cheapest window that masks, whether or not masking is advised. */
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

/** What a report of the session shown says; undefined until all of it is worked out. */
export function reportFactsOf(
  state: PlaygroundState,
  {
    day,
    hasNames,
    summaryTokens,
  }: { readonly day: string; readonly hasNames: boolean; readonly summaryTokens: Tokens },
): ReportFacts | undefined {
  const { read, policy, priceBook } = state
  const conversation = conversationOf(state)
  const session = sessionOf(state)
  const terms = termsOf(state)
  const replayed = replayOf(state)
  const strategies = strategiesOf(state, summaryTokens)
  const recommendation = recommendationOf(state)
  const measure = measureOf(state)
  const breaks = prefixBreaksOf(state)
  const counts = countsOf(state)?.[state.conversation]
  const decisions = decisionsOf(state)?.[state.conversation]
  if (!read || !conversation || !session || !terms || !replayed || !strategies) return undefined
  if (!recommendation || !measure || !counts || !decisions || breaks === undefined) return undefined
  const { model, family, priceDate } = terms
  const { encoding, isExact } = familyOf(state)
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
    policy,
    model: {
      name: model.name,
      provider: model.providerName,
      contextTokens: model.contextWindow,
    },
    counting: { encoding, isExact },
    prices: terms.prices,
    priceList:
      priceBook === undefined || priceDate === undefined
        ? undefined
        : { source: priceBook.source, version: priceBook.version, date: priceDate },
    pricingUrl: model.listed?.pricingUrl,
    changesByHour: model.listed?.changesByHour ?? false,
    cache: {
      label: family.label,
      rule: terms.terms.rule,
      source: family.source,
      date: family.date,
      origin: terms.ruleOrigin,
    },
    nextRequest: measure.tokens,
    replayed,
    prefixBreaks: breaks,
    strategies,
    strategySettings: settingsOf(summaryTokens),
    recommendation,
    smallestWindow: state.smallestWindow,
    breakEven: {
      plain: breakEven(replayed, 'plain'),
      cached: breakEven(replayed, 'cached'),
    },
  }
}
