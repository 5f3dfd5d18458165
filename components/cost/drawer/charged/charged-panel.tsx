'use client'

import { useTranslations } from 'use-intl'
import { type Charge, chargeIfMasked } from '@/lib/core/replay/charged/charge'
import {
  CHARGE_PARTS,
  type ExplainedRequest,
  sumParts,
} from '@/lib/core/replay/charged/explain-charges'
import type { Replay } from '@/lib/core/replay/replay'
import type { ChargedFacts } from '@/lib/core/report/report-facts'
import { useFigureFormat } from '../../../use-figure-format'
import { DetailsTable } from '../details-table'
import { signedMoney } from '../report/report-lists'
import { CalibrationFields } from './unseen-head'

interface ChargedPanelProps {
  readonly replayed: Replay
  readonly charged: ChargedFacts | undefined
}

/** What was charged beside the replay, and why a plain count differs; nothing without usage. */
export function ChargedPanel({ replayed, charged }: ChargedPanelProps) {
  const t = useTranslations('charged')
  if (charged === undefined) return null
  const { charge, explained } = charged
  return (
    <section aria-label={t('title')} className="flex flex-col gap-3">
      <div>
        <h3 className="font-medium">{t('title')}</h3>
        <p className="max-w-[80ch] text-soft text-sm">
          {t('intro', { known: charge.requests, all: replayed.requests.length })}
        </p>
      </div>
      <ChargeFigures charge={charge} replayed={replayed} />
      <div className="grid gap-x-10 gap-y-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        {explained.length > 0 && <ChargeParts requests={explained} />}
        <CalibrationFields />
      </div>
      {explained.length > 0 && <ChargedRequests requests={explained} />}
    </section>
  )
}

interface ChargeFiguresProps {
  readonly charge: Charge
  readonly replayed: Replay
}

function ChargeFigures({ charge, replayed }: ChargeFiguresProps) {
  const t = useTranslations('charged.figures')
  const format = useFigureFormat()
  const { before, after } = replayed
  const masked = chargeIfMasked(charge, replayed)
  /** Changed as the replay is, like the cost. */
  const maskedTokens =
    charge.inputTokens === undefined || before.tokens === 0
      ? undefined
      : Math.round((charge.inputTokens * after.tokens) / before.tokens)
  const change = (from: number | undefined, to: number | undefined) =>
    from === undefined || to === undefined ? undefined : format.change(from, to)
  const figures = [
    {
      label: t('charged'),
      cost: charge.inputCost,
      note: t('tokens', { tokens: format.number(charge.inputTokens) }),
      change: undefined,
    },
    {
      label: t('masked'),
      cost: masked,
      note: t('tokens', { tokens: format.number(maskedTokens) }),
      change: change(charge.inputCost, masked),
    },
    {
      label: t('replayed'),
      cost: before.costs.cached,
      note: t('tokens', { tokens: format.number(before.tokens) }),
      change: change(charge.inputCost, before.costs.cached),
    },
    {
      label: t('output'),
      cost: charge.outputCost,
      note: t('outputTokens', { tokens: format.number(charge.outputTokens) }),
      change: undefined,
    },
  ]
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-4">
      {figures.map(({ label, cost, note, change: shown }) => (
        <div key={label} className="min-w-0 border-line border-l-2 pl-2.5">
          <dt className="text-soft text-sm">{label}</dt>
          <dd>
            <span className="font-semibold text-lg tabular-nums">{format.money(cost)}</span>
            {shown !== undefined && <span className="ml-1.5 text-soft text-sm">{shown}</span>}
            <span className="block text-soft text-sm">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

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

/** Charged and replayed, request by request. */
function ChargedRequests({ requests }: { readonly requests: readonly ExplainedRequest[] }) {
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
