/** Sentences that summarise the cost of a session, for the report and the drawer. */

import type { useTranslations } from 'use-intl'
import type { PutIntoWords } from '@/components/language-provider'
import type { Replay } from '@/lib/core/replay/replay'
import type { Tokens } from '@/lib/core/replay/units'
import { firstOverflow } from '@/lib/core/report/chart-layout'
import type { FigureFormat } from '@/lib/core/report/figure-format'
import { type ReplayFigures, verdictOf, type WrittenFacts } from '@/lib/core/report/report-facts'
import type { ReportSection, ReportTone } from '@/lib/core/report/report-page'
import { PUBLISHED_OUTCOMES } from '@/lib/core/uses/refetch-costs'
import type { KnownRule } from '@/lib/state/costs/cost-terms'

/** Texts and number formats, what the core says, and whether the model's caching is known. */
export interface ReportTexts {
  readonly t: ReturnType<typeof useTranslations<'report'>>
  readonly format: FigureFormat
  readonly words: PutIntoWords
  readonly rule: KnownRule
}

export function headline(
  { t, format }: ReportTexts,
  facts: Pick<WrittenFacts, 'policy' | 'replayed' | 'model' | 'cache'>,
): { readonly text: string; readonly tone: ReportTone } {
  const { before, after } = facts.replayed
  const [costBefore, costAfter] = [before.costs.cached, after.costs.cached]
  const verdict = verdictOf(facts)
  switch (verdict) {
    case 'saves':
    case 'costs':
      return {
        tone: verdict === 'saves' ? 'good' : 'warn',
        text: t(`headline.${verdict}`, {
          caching: facts.cache.rule.kind === 'none' ? 'no' : 'yes',
          model: facts.model.name,
          share: format.share(Math.abs((costAfter ?? 0) - (costBefore ?? 0)) / (costBefore || 1)),
          before: format.money(costBefore, costAfter),
          after: format.money(costAfter, costBefore),
        }),
      }
    case 'same':
    case 'off':
      return { tone: 'plain', text: t(`headline.${verdict}`, { before: format.money(costBefore) }) }
    case 'price_unknown':
      return {
        tone: 'plain',
        text: t('headline.price_unknown', {
          model: facts.model.name,
          tokensChange: format.change(before.tokens, after.tokens),
        }),
      }
  }
}

/** Sentences on when masking pays off; empty if a price is unknown or masking is off. */
export function breakEvenSentences(
  { t }: ReportTexts,
  facts: Pick<WrittenFacts, 'breakEven' | 'replayed' | 'policy' | 'cache'>,
): string[] {
  const verdict = verdictOf(facts)
  if (verdict === 'off' || verdict === 'price_unknown' || verdict === 'same') return []
  const requests = facts.replayed.requests.length
  const { cached, plain } = facts.breakEven
  const sentences: string[] = []
  if (cached.state !== 'price_unknown' && facts.cache.rule.kind !== 'none') {
    const request = cached.state === 'from_request' ? cached.request + 1 : 0
    const state = request === 1 ? 'from_first' : cached.state
    sentences.push(t(`when.breakEven.${state}`, { request, requests }))
  }
  if (plain.state !== 'price_unknown') {
    const request = plain.state === 'from_request' ? plain.request + 1 : 0
    const state = request === 1 ? 'from_first' : plain.state
    sentences.push(t(`when.breakEvenPlain.${state}`, { request }))
  }
  return sentences
}

/** Sentence on the recommended setting. Costs are for input with caching, as in the figures. */
export function recommendationSentence(
  { t, format }: Pick<ReportTexts, 't' | 'format'>,
  {
    recommendation,
    replayed,
    advice: { rule, keptShare, smallestWindow: smallest },
  }: Pick<WrittenFacts, 'recommendation' | 'advice'> & {
    readonly replayed: Pick<Replay, 'before'>
  },
): string {
  const { cached } = replayed.before.costs
  switch (recommendation.state) {
    case 'mask': {
      const { windowTurns, batchTurns, total } = recommendation.point
      const worst = (total.costs.cached ?? 0) + recommendation.worstCost - recommendation.cost
      return t('when.recommendation.mask', {
        rule,
        kept: format.share(keptShare),
        lost: recommendation.lostUses,
        worst: format.change(cached, worst),
        smallest,
        window: windowTurns,
        batch: batchTurns,
        cost: format.money(total.costs.cached, cached),
        change: format.change(cached, total.costs.cached),
      })
    }
    case 'do_not_mask': {
      const { cheapest } = recommendation
      return t('when.recommendation.do_not_mask', {
        rule,
        kept: format.share(keptShare),
        smallest,
        hasCheapest: cheapest === undefined ? 'no' : 'yes',
        window: cheapest?.point.windowTurns ?? 0,
        batch: cheapest?.point.batchTurns ?? 1,
        cost: format.money(cheapest?.point.total.costs.cached, cached),
        change: format.change(cached, cheapest?.point.total.costs.cached),
      })
    }
    case 'nothing_maskable':
      return t('when.recommendation.nothing_maskable', { results: recommendation.results })
    case 'no_results':
    case 'price_unknown':
      return t(`when.recommendation.${recommendation.state}`)
  }
}

/** Sentence on the first request that exceeds the model's context, if any. */
export function overflowSentence(
  { t, format }: ReportTexts,
  model: { readonly name: string; readonly contextTokens: Tokens | undefined },
  replayed: ReplayFigures,
): string {
  const { name, contextTokens } = model
  if (contextTokens === undefined) return t('when.overflow.unknown', { model: name })
  const { before, after } = firstOverflow(replayed, contextTokens)
  const state =
    before === undefined
      ? after === undefined
        ? 'never'
        : 'after'
      : after === undefined
        ? 'before'
        : 'both'
  return t(`when.overflow.${state}`, {
    model: name,
    limit: format.number(contextTokens),
    before: (before ?? 0) + 1,
    after: (after ?? 0) + 1,
  })
}

/** What the policy risks, in one sentence; none if it loses nothing. */
export function riskSentence(
  { t, format }: ReportTexts,
  { losses, replayed }: Pick<WrittenFacts, 'losses' | 'replayed'>,
): string[] {
  if (losses === undefined || losses.lostUses === 0) return []
  const { worstCost, lostResults: results } = losses
  const before = replayed.before.costs.cached
  const worst = worstCost === undefined ? 'none' : format.change(before, worstCost)
  return [t('headline.risk', { worst, results })]
}

/** What masking loses: the numbers, the definition with its limits, and published outcomes. */
export function lossSection(
  { t, format }: ReportTexts,
  { losses, replayed }: Pick<WrittenFacts, 'losses' | 'replayed'>,
): ReportSection[] {
  if (losses === undefined) return []
  const { laterUses, lostUses, lostResults, worstCost, breakEven, mostTurns, mostShare } = losses
  const before = replayed.before.costs.cached
  const changes = PUBLISHED_OUTCOMES.map(({ turnsBefore, turnsAfter }) => turnsAfter / turnsBefore)
  const solved = PUBLISHED_OUTCOMES.map(({ solvedPoints }) => solvedPoints)
  return [
    {
      kind: 'sentences',
      title: t('losses.title'),
      items: [
        t('losses.counts', {
          uses: laterUses,
          lost: lostUses,
          results: lostResults,
          share: format.share(mostShare),
          turns: mostTurns,
        }),
        ...(lostUses === 0 || worstCost === undefined
          ? []
          : [
              t('losses.range', {
                cost: format.money(replayed.after.costs.cached, worstCost),
                worst: format.money(worstCost, replayed.after.costs.cached),
                change: format.change(before, worstCost),
                breakEven: breakEven === undefined ? 'none' : format.number(breakEven),
              }),
            ]),
        t('losses.definition'),
        t('losses.outcomes', {
          pairs: PUBLISHED_OUTCOMES.reduce((total, { pairs }) => total + pairs, 0),
          fewest: format.change(1, Math.min(...changes)),
          most: format.change(1, Math.max(...changes)),
          worst: format.number(Math.min(...solved)).replace('-', '−'),
          best: `+${format.number(Math.max(...solved))}`,
        }),
      ],
    },
  ]
}
