import { useTranslations } from 'use-intl'
import { chargeIfMasked } from '@/lib/core/replay/charged/charge'
import {
  CHARGE_PARTS,
  type ChargePart,
  type ExplainedRequest,
  sumParts,
} from '@/lib/core/replay/charged/explain-charges'
import type { Replay } from '@/lib/core/replay/replay'
import type { ChargedFacts } from '@/lib/core/report/report-facts'
import { useView } from '../../../playground-context'
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

type ChargeFiguresProps = Pick<ChargedFacts, 'charge'> & Pick<ChargedPanelProps, 'replayed'>

function ChargeFigures({ charge, replayed }: ChargeFiguresProps) {
  const { t, format } = useView('charged.figures')
  const { before, after } = replayed
  const { inputCost, inputTokens } = charge
  const masked = chargeIfMasked(charge, replayed)
  const changeTo = (cost: number | undefined) =>
    inputCost === undefined || cost === undefined ? undefined : format.change(inputCost, cost)
  /** Changed as the replay is, like the cost. */
  const maskedTokens =
    inputTokens === undefined || before.tokens === 0
      ? undefined
      : Math.round((inputTokens * after.tokens) / before.tokens)
  const figures = [
    ['charged', inputCost, inputTokens],
    ['masked', masked, maskedTokens, changeTo(masked)],
    ['replayed', before.costs.cached, before.tokens, changeTo(before.costs.cached)],
    ['output', charge.outputCost, charge.outputTokens],
  ] as const
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-4">
      {figures.map(([name, cost, tokens, change]) => (
        <div key={name} className="min-w-0 border-line border-l-2 pl-2.5">
          <dt className="text-soft text-sm">{t(name)}</dt>
          <dd>
            <span className="font-semibold text-lg tabular-nums">{format.money(cost)}</span>
            {change !== undefined && <span className="ml-1.5 text-soft text-sm">{change}</span>}
            <span className="block text-soft text-sm">
              {t(name === 'output' ? 'outputTokens' : 'tokens', { tokens: format.number(tokens) })}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The steps from the plain count to the charge, each with its dollars and a bar. */
function ChargeParts({ requests }: { readonly requests: readonly ExplainedRequest[] }) {
  const { t, format } = useView('report.charged')
  const sum = (of: (request: ExplainedRequest) => number | undefined) =>
    requests.reduce((total, request) => total + (of(request) ?? 0), 0)
  const plain = sum(({ plain: side }) => side.costs.cached)
  const charged = sum(({ charge }) => charge.inputCost)
  const parts = sumParts(requests)
  const widest = Math.max(plain, charged, ...Object.values(parts).map(Math.abs))
  const shown = CHARGE_PARTS.filter((part) => Math.abs(parts[part]) >= charged / 1000)
  const rows = [
    ['plain', plain, format.money(plain, charged)],
    ...shown.map((part) => [part, parts[part], signedMoney(format, parts[part], charged)] as const),
    ['charged', charged, format.money(charged, charged)],
  ] as const
  return (
    <div>
      <h4 className="font-medium text-sm">{t('differs')}</h4>
      <table className="mt-1 w-full text-sm [&_td]:py-0.5 [&_th]:py-0.5 [&_th]:pr-4 [&_th]:text-left [&_th]:font-normal">
        <tbody>
          {rows.map(([name, value, amount]) => (
            <tr
              key={name}
              className={name === 'charged' ? 'border-line border-t font-semibold' : ''}
            >
              <th scope="row" className={name === 'charged' ? 'font-semibold!' : ''}>
                {t(`parts.${name}`)}
              </th>
              <td className="whitespace-nowrap text-right tabular-nums">{amount}</td>
              <td aria-hidden className="w-1/4 pl-3 max-sm:hidden">
                <span
                  className={`block h-2 rounded-sm ${value < 0 ? 'bg-good' : 'bg-ghost'}`}
                  style={{ width: `${Math.max(1, (Math.abs(value) / widest) * 100)}%` }}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Charged and replayed, request by request. */
function ChargedRequests({ requests }: { readonly requests: readonly ExplainedRequest[] }) {
  const { t, format } = useView('charged.requests')
  const nameOfPart = useTranslations('report.charged.parts')
  const at = (row: number) => requests[row] as ExplainedRequest
  return (
    <DetailsTable
      label={t('title')}
      count={requests.length}
      first={[t('request'), (row) => at(row).request + 1]}
      pairs={[
        [
          t('tokens'),
          (row) => {
            const { charge, calibrated } = at(row)
            return [format.number(charge.inputTokens), format.number(calibrated.tokens)]
          },
        ],
        [
          t('read'),
          (row) => {
            const { charge, calibrated } = at(row)
            return [format.number(charge.readTokens), format.number(calibrated.split.read)]
          },
        ],
        [
          t('cost'),
          (row) => {
            const { charge, calibrated } = at(row)
            const costs = [charge.inputCost, calibrated.costs.cached] as const
            return [format.money(...costs), format.money(costs[1], costs[0])]
          },
        ],
      ]}
      sides={[t('charged'), t('replayed')]}
      last={[
        t('why'),
        (row) => {
          const { parts } = at(row)
          const isLarger = (part: ChargePart, other: ChargePart) =>
            Math.abs(parts[part]) > Math.abs(parts[other])
          return nameOfPart(
            CHARGE_PARTS.reduce((best, part) => (isLarger(part, best) ? part : best)),
          )
        },
      ]}
      isLastText
    />
  )
}
