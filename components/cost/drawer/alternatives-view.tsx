import { useTranslations } from 'use-intl'
import { DEFAULT_ALTERNATIVES } from '@/lib/core/replay/alternatives/alternatives'
import type { Tokens } from '@/lib/core/replay/units'
import type { ReportFacts } from '@/lib/core/report/report-facts'
import { NumberField } from '../../numbers/number-field'
import { alternativesTable } from './report/report-lists'
import { useReportTexts } from './use-report-texts'

const MOST_SUMMARY_TOKENS = 100_000

/** Cost of the same session under other strategies, side by side. */
export function AlternativesView(props: {
  readonly facts: ReportFacts
  readonly summaryTokens: Tokens
  readonly onSummaryTokens: (tokens: Tokens) => void
}) {
  const { facts, summaryTokens, onSummaryTokens } = props
  const { alternatives } = facts
  const t = useTranslations('drawer.strategies')
  const texts = useReportTexts()
  const { summaries } = DEFAULT_ALTERNATIVES
  const alternativeSettings = {
    ...DEFAULT_ALTERNATIVES,
    summaries: { ...summaries, summaryTokens },
  }
  const table = alternativesTable(texts, { ...facts, alternativeSettings })
  const costs = alternatives.flatMap(({ cached }) => (cached === undefined ? [] : [cached]))
  const cheapest = Math.min(...costs)
  return (
    <div>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <h3 className="font-medium">{table.title}</h3>
        <div className="text-soft [&_label]:font-normal">
          <NumberField
            label={t('summary')}
            unit={t('summaryUnit')}
            value={summaryTokens}
            minimum={1}
            maximum={MOST_SUMMARY_TOKENS}
            onValueChange={onSummaryTokens}
          />
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section aria-label={table.title} tabIndex={0} className="mt-1 overflow-x-auto">
        <table className="stacks w-full border-collapse sm:min-w-156">
          <thead>
            <tr className="border-line border-b text-soft text-sm">
              {table.columns.map(({ label, isNumber }) => (
                <th
                  key={label}
                  scope="col"
                  className={`py-1 pr-5 align-bottom font-medium last:pr-0 ${isNumber ? 'text-right' : 'text-left'}`}
                >
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((cells, row) => {
              const alternative = alternatives[row]
              const isCheapest = costs.length > 1 && alternative?.cached === cheapest
              return (
                <tr
                  key={alternative?.id}
                  className={`border-line border-b last:border-b-0 ${alternative?.id === 'as_set' ? 'bg-accent-tint/60' : ''}`}
                >
                  <th scope="row" className="py-1.5 pr-5 pl-1.5 text-left align-top font-medium">
                    {cells[0]}
                  </th>
                  {cells.slice(1).map((cell, index) => {
                    const column = table.columns[index + 1]
                    const isGood = isCheapest && index === 2
                    return (
                      <td
                        key={column?.label}
                        data-label={column?.label}
                        className={`py-1.5 pr-5 align-top last:pr-1.5 ${column?.isNumber ? 'whitespace-nowrap text-right' : 'text-soft'} ${isGood ? 'font-semibold text-good' : ''}`}
                      >
                        {cell}
                      </td>
                    )
                  })}
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
      {table.notes.map((note) => (
        <p key={note} className="mt-1 text-soft text-sm">
          {note}
        </p>
      ))}
    </div>
  )
}
