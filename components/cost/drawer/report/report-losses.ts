import type { WrittenFacts } from '@/lib/core/report/report-facts'
import type { ReportSection } from '@/lib/core/report/report-page'
import { PUBLISHED_OUTCOMES } from '@/lib/core/uses/refetch-costs'
import type { ReportTexts } from './report-sentences'

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
