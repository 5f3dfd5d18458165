'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { CHARGE_PARTS, type ExplainedRequest } from '@/lib/core/replay/charged/explain-charges'
import { useFigureFormat } from '../../../use-figure-format'

/** Charged and replayed, request by request. Rendered only once opened. */
export function ChargedRequests({ requests }: { readonly requests: readonly ExplainedRequest[] }) {
  const t = useTranslations('charged.requests')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="w-fit cursor-pointer rounded-sm py-1 text-soft text-sm hover:text-ink pointer-coarse:py-3">
        {t('title')}
      </summary>
      {isOpen && <Rows requests={requests} />}
    </details>
  )
}

function Rows({ requests }: { readonly requests: readonly ExplainedRequest[] }) {
  const t = useTranslations('charged.requests')
  const nameOfPart = useTranslations('charged.parts')
  const format = useFigureFormat()
  const columns = ['tokens', 'read', 'cost'] as const
  return (
    <section
      aria-label={t('title')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
      tabIndex={0}
      className="mt-1 max-h-64 overflow-auto rounded-md border border-line"
    >
      <table className="w-full text-right text-sm [&_td]:px-2.5 [&_td]:py-0.5 [&_th]:px-2.5 [&_th]:py-1 [&_th]:font-medium">
        <thead className="sticky top-0 bg-raised text-soft">
          <tr>
            <th scope="col" rowSpan={2} className="text-left align-bottom">
              {t('request')}
            </th>
            {columns.map((column) => (
              <th key={column} scope="colgroup" colSpan={2}>
                {t(column)}
              </th>
            ))}
            <th scope="col" rowSpan={2} className="text-left align-bottom">
              {t('why')}
            </th>
          </tr>
          <tr className="border-line border-b">
            {columns.flatMap((column) =>
              (['charged', 'replayed'] as const).map((side) => (
                <th key={`${column} ${side}`} scope="col">
                  {t(side)}
                </th>
              )),
            )}
          </tr>
        </thead>
        <tbody>
          {requests.map(({ request, charge, calibrated, parts }) => {
            const largest = CHARGE_PARTS.reduce((best, part) =>
              Math.abs(parts[part]) > Math.abs(parts[best]) ? part : best,
            )
            return (
              <tr key={request} className="even:bg-line/25">
                <th scope="row" className="text-left">
                  {format.number(request + 1)}
                </th>
                <td>{format.number(charge.inputTokens)}</td>
                <td>{format.number(calibrated.tokens)}</td>
                <td>{format.number(charge.readTokens)}</td>
                <td>{format.number(calibrated.split.read)}</td>
                <td>{format.money(charge.inputCost, calibrated.costs.cached)}</td>
                <td>{format.money(calibrated.costs.cached, charge.inputCost)}</td>
                <td className="text-left text-soft">{nameOfPart(largest)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
