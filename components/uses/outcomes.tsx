import { PUBLISHED_OUTCOMES, WORST_TURNS } from '@/lib/core/uses/refetch-costs'
import type { AdviceProps } from '../meters/advice-details'
import { useView } from '../playground-context'

/** What masking did to agents in published runs, with what that does not cover. */
export function Outcomes({ risk }: AdviceProps) {
  const { t, format } = useView('uses.outcomes')
  const points = (value: number) =>
    `${value > 0 ? '+' : value < 0 ? '−' : ''}${format.number(Math.abs(value))}`
  const pairs = PUBLISHED_OUTCOMES.reduce((total, one) => total + one.pairs, 0)
  const worst = risk.worstCost === undefined ? undefined : risk.worstCost * WORST_TURNS
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p>{t('what', { pairs })}</p>
      <table className="w-full text-left tabular-nums">
        <thead>
          <tr className="text-faint">
            <th className="font-normal">{t('model')}</th>
            <th className="pl-3 text-right font-normal">{t('pairs')}</th>
            <th className="pl-3 text-right font-normal">{t('turns')}</th>
            <th className="pl-3 text-right font-normal">{t('solved')}</th>
          </tr>
        </thead>
        <tbody>
          {PUBLISHED_OUTCOMES.map((one) => (
            <tr key={one.model}>
              <td>{one.model}</td>
              <td className="whitespace-nowrap pl-3 text-right">{one.pairs}</td>
              <td className="whitespace-nowrap pl-3 text-right">
                {format.change(one.turnsBefore, one.turnsAfter)}
              </td>
              <td className="whitespace-nowrap pl-3 text-right">
                {t('interval', {
                  points: points(one.solvedPoints),
                  low: points(one.solvedLow),
                  high: points(one.solvedHigh),
                })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>{t('limits')}</p>
      {worst !== undefined && risk.cost !== risk.before && (
        <p>
          {t('worst', {
            turns: format.change(1, WORST_TURNS),
            cost: format.money(worst),
            change: format.change(risk.before, worst),
          })}
        </p>
      )}
      <p className="text-faint">{t('source')}</p>
    </div>
  )
}
