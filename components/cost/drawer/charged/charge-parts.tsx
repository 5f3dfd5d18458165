'use client'

import { useTranslations } from 'use-intl'
import {
  CHARGE_PARTS,
  type ExplainedRequest,
  sumParts,
} from '@/lib/core/replay/charged/explain-charges'
import { useFigureFormat } from '../../../use-figure-format'
import { signedMoney } from '../report/report-lists'

/** The steps from the plain count to the charge, each with its dollars and a bar. */
export function ChargeParts({ requests }: { readonly requests: readonly ExplainedRequest[] }) {
  const t = useTranslations('report.charged')
  const format = useFigureFormat()
  const sum = (of: (request: ExplainedRequest) => number | undefined) =>
    requests.reduce((total, request) => total + (of(request) ?? 0), 0)
  const plain = sum(({ plain: side }) => side.costs.cached)
  const charged = sum(({ charge }) => charge.inputCost)
  const parts = sumParts(requests)
  const widest = Math.max(plain, charged, ...Object.values(parts).map(Math.abs))
  const shown = CHARGE_PARTS.filter((part) => Math.abs(parts[part]) >= charged / 1000)
  return (
    <div>
      <h4 className="font-medium text-sm">{t('differs')}</h4>
      <table className="mt-1 w-full text-sm [&_td]:py-0.5 [&_th]:py-0.5 [&_th]:pr-4 [&_th]:text-left [&_th]:font-normal">
        <tbody>
          <Row
            label={t('parts.plain')}
            amount={format.money(plain, charged)}
            share={plain / widest}
          />
          {shown.map((part) => (
            <Row
              key={part}
              label={t(`parts.${part}`)}
              amount={signedMoney(format, parts[part], charged)}
              share={Math.abs(parts[part]) / widest}
              isLess={parts[part] < 0}
            />
          ))}
          <Row
            label={t('parts.charged')}
            amount={format.money(charged, charged)}
            share={charged / widest}
            isTotal
          />
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  readonly label: string
  readonly amount: string
  /** Width of the bar, from 0 to 1. */
  readonly share: number
  readonly isLess?: boolean
  readonly isTotal?: boolean
}

function Row({ label, amount, share, isLess = false, isTotal = false }: RowProps) {
  return (
    <tr className={isTotal ? 'border-line border-t font-semibold' : ''}>
      <th scope="row" className={isTotal ? 'font-semibold!' : ''}>
        {label}
      </th>
      <td className="whitespace-nowrap text-right tabular-nums">{amount}</td>
      <td aria-hidden className="w-1/4 pl-3 max-sm:hidden">
        <span
          className={`block h-2 rounded-sm ${isLess ? 'bg-good' : 'bg-ghost'}`}
          style={{ width: `${Math.max(1, share * 100)}%` }}
        />
      </td>
    </tr>
  )
}
