'use client'

import { useTranslations } from 'use-intl'
import { CHARGE_PARTS, type ExplainedRequest } from '@/lib/core/replay/charged/explain-charges'
import { useFigureFormat } from '../../../use-figure-format'
import { DetailsTable } from '../details-table'

/** Charged and replayed, request by request. */
export function ChargedRequests({ requests }: { readonly requests: readonly ExplainedRequest[] }) {
  const t = useTranslations('charged.requests')
  const nameOfPart = useTranslations('report.charged.parts')
  const format = useFigureFormat()
  const columns = ['tokens', 'read', 'cost'] as const
  return (
    <DetailsTable
      label={t('title')}
      head={
        <>
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
        </>
      }
      count={requests.length}
      cells={(at) => {
        const { request, charge, calibrated, parts } = requests[at] as ExplainedRequest
        const largest = CHARGE_PARTS.reduce((best, part) =>
          Math.abs(parts[part]) > Math.abs(parts[best]) ? part : best,
        )
        return (
          <>
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
          </>
        )
      }}
    />
  )
}
