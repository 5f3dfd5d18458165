/** Sentences that summarise the cost of a session, for the report and the page. */

import type { useTranslations } from 'use-intl'
import type { PutIntoWords } from '@/components/language-provider'
import { batchNumber } from '@/lib/core/policy/policy'
import { chargeIfMasked } from '@/lib/core/replay/charged/explain-charges'
import { BAND_SHARE, type Band } from '@/lib/core/replay/misses/cost-band'
import type { BreakEven } from '@/lib/core/replay/recommend'
import type { Replay } from '@/lib/core/replay/replay'
import { firstOverflow } from '@/lib/core/report/chart-layout'
import type { FigureFormat } from '@/lib/core/report/figure-format'
import { namesOf } from '@/lib/core/report/mechanism-advice'
import {
  type ChargedFigures,
  type ReportedMechanism,
  verdictOf,
  type WrittenFacts,
} from '@/lib/core/report/report-facts'
import type { ReportSection, ReportTone } from '@/lib/core/report/report-page'
import { PUBLISHED_OUTCOMES } from '@/lib/core/uses/published-outcomes'
import { phrase } from '@/lib/core/words/words'
import type { knownRuleOf } from '@/lib/state/costs/cost-terms'

/** Texts and number formats, what the core says, and whether the model's caching is known. */
export interface ReportTexts {
  readonly t: ReturnType<typeof useTranslations<'report'>>
  readonly format: FigureFormat
  readonly words: PutIntoWords
  readonly rule: ReturnType<typeof knownRuleOf>
}

/** The texts with the name of the mechanism that they are about, given in English; of masking without one. */
export function textsBy(texts: ReportTexts, label: string | undefined): ReportTexts {
  const by = label === undefined ? 'none' : texts.words({ name: label })
  const t = (key: Parameters<ReportTexts['t']>[0], values?: object) =>
    texts.t(key, { by, ...values })
  return { ...texts, t: Object.assign(t, texts.t) as ReportTexts['t'] }
}

export function applying(sentences: readonly (string | undefined | false)[]): string[] {
  return sentences.filter((sentence) => typeof sentence === 'string')
}

export function headline(
  { t, format }: ReportTexts,
  facts: Pick<
    WrittenFacts,
    'policy' | 'tried' | 'replayed' | 'model' | 'cache' | 'recommendation' | 'advice'
  >,
): { readonly text: string; readonly tone: ReportTone } {
  const { before, after } = facts.replayed
  const [from, to] = [before.costs.cached, after.costs.cached]
  const verdict = verdictOf(facts)
  return {
    tone: verdict === 'saves' ? 'good' : verdict === 'costs' ? 'warn' : 'plain',
    text: t(`headline.${verdict}`, {
      caching: facts.cache.rule.kind === 'none' ? 'no' : 'yes',
      model: facts.model.name,
      share: format.share(Math.abs((to ?? 0) - (from ?? 0)) / (from || 1)),
      before: format.money(from, to),
      after: format.money(to, from),
      tokensChange: format.change(before.tokens, after.tokens),
      isBest: facts.recommendation.state === 'do_not_mask' ? 'yes' : 'no',
      smallest: facts.advice.smallestWindow,
    }),
  }
}

/** Sentences on when masking pays off; empty if a price is unknown or masking is off. */
export function breakEvenSentences(
  { t }: ReportTexts,
  facts: Pick<WrittenFacts, 'breakEven' | 'replayed' | 'policy' | 'tried' | 'cache'>,
): string[] {
  const verdict = verdictOf(facts)
  if (verdict === 'off' || verdict === 'price_unknown' || verdict === 'same') return []
  const requests = facts.replayed.requests.length
  const sentence = (key: 'breakEven' | 'breakEvenPlain', found: BreakEven) => {
    if (found.state === 'price_unknown') return undefined
    const request = found.state === 'from_request' ? found.request + 1 : 0
    return t(`when.${key}.${request === 1 ? 'from_first' : found.state}`, { request, requests })
  }
  const { cached, plain } = facts.breakEven
  return applying([
    facts.cache.rule.kind !== 'none' && sentence('breakEven', cached),
    sentence('breakEvenPlain', plain),
  ])
}

export type Recommended = Pick<WrittenFacts, 'recommendation' | 'advice'> & {
  readonly replayed: Pick<Replay, 'before'>
}

/** Sentence on the recommended setting. Costs are for input with caching, as in the figures. */
export function recommendationSentence(
  { t, format }: Pick<ReportTexts, 't' | 'format'>,
  { recommendation, replayed, advice: { rule, keptShare, smallestWindow: smallest } }: Recommended,
): string {
  const { cached } = replayed.before.costs
  const { state } = recommendation
  const isAdvised = state === 'mask'
  const cheapest = state === 'do_not_mask' ? recommendation.cheapest?.point : undefined
  const point = isAdvised ? recommendation.point : cheapest
  const cost = point?.total.costs.cached
  const again = isAdvised ? recommendation.worstCost - recommendation.cost : 0
  return t(`when.recommendation.${state}`, {
    results: state === 'nothing_maskable' ? recommendation.results : 0,
    rule,
    kept: format.share(keptShare),
    smallest,
    window: point?.windowTurns ?? 0,
    batch: point === undefined ? 1 : batchNumber(point),
    cost: format.money(cost, cached),
    change: format.change(cached, cost),
    hasCheapest: point === undefined ? 'no' : 'yes',
    lost: isAdvised ? recommendation.lostUses : 0,
    worst: format.change(cached, (cost ?? 0) + again),
  })
}

/** The cost with the misses observed, as a band before and after masking; undefined if it is unknown. */
export function bandSentence(
  { t, format }: Pick<ReportTexts, 't' | 'format'>,
  {
    band,
    replayed: { before, after },
  }: Pick<WrittenFacts, 'band'> & { readonly replayed: Pick<Replay, 'before' | 'after'> },
): string | undefined {
  if (band === undefined) return undefined
  const range = (name: string, { low, high }: Band) => ({
    [`${name}Low`]: format.money(low, high),
    [`${name}High`]: format.money(high, low),
  })
  const { perfect, change } = band
  return t('band', {
    provider: band.provider ?? 'none',
    share: format.share(BAND_SHARE),
    ...range('before', band.before),
    ...range('after', band.after),
    isMasked: after.tokens === before.tokens ? 'no' : 'yes',
    least: format.change(1, 1 + change.low),
    most: format.change(1, 1 + change.high),
    perfect: format.money(perfect.before, perfect.after),
    perfectAfter: format.money(perfect.after, perfect.before),
  })
}

/** Sentence on the first request that exceeds the model's context, if any. */
export function overflowSentence(
  { t, format }: ReportTexts,
  { model, replayed }: Pick<WrittenFacts, 'model' | 'replayed'>,
): string {
  const { name, contextTokens } = model
  if (contextTokens === undefined) return t('when.overflow.unknown', { model: name })
  const { before, after } = firstOverflow(replayed, contextTokens)
  const first = before === undefined ? 'never' : 'before'
  const state = after === undefined ? first : before === undefined ? 'after' : 'both'
  return t(`when.overflow.${state}`, {
    model: name,
    limit: format.number(contextTokens),
    before: (before ?? 0) + 1,
    after: (after ?? 0) + 1,
  })
}

/** What the policy risks, in one sentence; undefined if it loses nothing. */
export function riskSentence(
  { t, format }: ReportTexts,
  { losses, replayed }: Pick<WrittenFacts, 'losses' | 'replayed'>,
): string | undefined {
  if (losses === undefined || losses.lostUses === 0) return undefined
  const { worstCost, lostResults: results } = losses
  const before = replayed.before.costs.cached
  const worst = worstCost === undefined ? 'none' : format.change(before, worstCost)
  return t('headline.risk', { worst, results })
}

/** What masking loses: the numbers, the definition with its limits, and published outcomes. */
export function lossSection(
  { t, format }: ReportTexts,
  losses: NonNullable<WrittenFacts['losses']>,
  { before, after }: Pick<Replay, 'before' | 'after'>,
): ReportSection {
  const { worstCost, breakEven } = losses
  const changes = PUBLISHED_OUTCOMES.map(({ turnsBefore, turnsAfter }) => turnsAfter / turnsBefore)
  const solved = PUBLISHED_OUTCOMES.map(({ solvedPoints }) => solvedPoints)
  return {
    title: t('losses.title'),
    items: applying([
      t('losses.counts', {
        uses: losses.laterUses,
        lost: losses.lostUses,
        results: losses.lostResults,
        share: format.share(losses.mostShare),
        turns: losses.mostTurns,
      }),
      losses.lostUses !== 0 &&
        worstCost !== undefined &&
        t('losses.range', {
          cost: format.money(after.costs.cached, worstCost),
          worst: format.money(worstCost, after.costs.cached),
          change: format.change(before.costs.cached, worstCost),
          breakEven: breakEven === undefined ? 'none' : format.number(breakEven),
        }),
      t('losses.definition'),
      t('losses.outcomes', {
        pairs: PUBLISHED_OUTCOMES.reduce((total, { pairs }) => total + pairs, 0),
        fewest: format.change(1, Math.min(...changes)),
        most: format.change(1, Math.max(...changes)),
        worst: format.number(Math.min(...solved)).replace('-', '−'),
        best: `+${format.number(Math.max(...solved))}`,
      }),
    ]),
  }
}

/** What the policy saves of what was possible with its window; undefined if that is unknown. */
export function limitSentence(
  { t, format }: Pick<ReportTexts, 't' | 'format'>,
  facts: Pick<WrittenFacts, 'limits'> & Parameters<typeof verdictOf>[0],
): string | undefined {
  const { any, withoutLosses } = facts.limits ?? {}
  const before = facts.replayed.before.costs.cached
  const after = facts.replayed.after.costs.cached
  if (any === undefined || !before || after === undefined) return undefined
  return t('limit', {
    verdict: verdictOf(facts),
    own: format.share(Math.abs(1 - after / before)),
    limit: format.share(1 - any / before),
    hasKept: withoutLosses === undefined ? 'no' : 'yes',
    kept: format.share(1 - (withoutLosses ?? before) / before),
  })
}

/** What the comparison of mechanisms advises, without what it rests on, which the rows have. */
export function mechanismSentences(
  { words, format }: ReportTexts,
  { replayed: { before }, advice, losses }: WrittenFacts,
  mechanisms: readonly ReportedMechanism[],
): string[] {
  const share = format.share(advice.keptShare)
  const said = (kind: 'own' | 'best') =>
    mechanisms
      .filter(({ advised }) => advised === kind || advised === 'both')
      .map(
        ({ id, settings, cost, before: { cost: unchanged } = { cost: before.costs.cached } }) => {
          const change = format.change(unchanged, cost)
          return words(phrase(`advice_${kind}`, { share, ...namesOf(id, settings), change }))
        },
      )
  const uses = format.number(losses?.laterUses ?? 0)
  return mechanisms.length === 0
    ? [words(phrase('advice_none', { share, uses }))]
    : [...said('own'), ...said('best')]
}

/** What a mechanism does to the session, for its row. */
export function mechanismFigures(
  { t, format }: Pick<ReportTexts, 't' | 'format'>,
  { tokens, cost, forgotten }: Pick<ReportedMechanism, 'tokens' | 'cost' | 'forgotten'>,
  before: Pick<ReportedMechanism, 'tokens' | 'cost'>,
): string {
  return t('mechanisms.figures', {
    isPriced: before.cost === undefined ? 'no' : 'yes',
    cost: format.money(cost, before.cost),
    costChange: format.change(before.cost, cost),
    tokens: format.number(tokens),
    change: format.change(before.tokens, tokens),
    count: forgotten,
  })
}

/** What was charged, what it would have been, and the replay's costs; undefined if no cost is known to have been charged. */
export function chargedSentence(
  { t, format }: Pick<ReportTexts, 't' | 'format'>,
  charged: Omit<ChargedFigures, 'explained'> | undefined,
  replayed: Pick<Replay, 'before' | 'after'>,
  isOn: boolean,
): string | undefined {
  const cost = charged?.charge.inputCost
  if (charged === undefined || cost === undefined) return undefined
  const { conversations } = charged
  const masked = chargeIfMasked(charged.charge, replayed, charged.replayedCost)
  const all = charged.fileCost === undefined ? 'none' : format.money(charged.fileCost)
  const [from, to] = [replayed.before.costs.cached, replayed.after.costs.cached]
  const values = { all, conversations, before: format.money(from, to) }
  if (masked === undefined || replayed.after.tokens === replayed.before.tokens)
    return t(isOn ? 'charged.same' : 'charged.off', { ...values, cost: format.money(cost) })
  return t('charged.masked', {
    ...values,
    after: format.money(to, from),
    cost: format.money(cost, masked),
    masked: format.money(masked, cost),
    change: format.change(cost, masked),
  })
}
