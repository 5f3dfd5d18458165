import { useTranslations } from 'use-intl'
import { chargeIfMasked } from '@/lib/core/replay/charged/charge'
import { CHARGE_PARTS, type ExplainedRequest } from '@/lib/core/replay/charged/explain-charges'
import type { Replay } from '@/lib/core/replay/replay'
import { SEARCH_PRICE } from '@/lib/core/replay/service-prices'
import type { ChargedFacts } from '@/lib/core/report/report-facts'
import { chargeOfSession } from '@/lib/state/costs/charged-session'
import { sessionOf } from '@/lib/state/costs/shown-session'
import { useDeferredState, useView } from '../../../playground-context'
import { DetailsTable } from '../details-table'
import { chargeSteps } from '../report/report-lists'
import { CalibrationFields } from './calibration-fields'

/** What was charged beside the replay, and why a plain count differs; nothing without usage. */
export function ChargedPanel(props: {
  readonly replayed: Replay
  readonly charged: ChargedFacts | undefined
}) {
  const { replayed, charged } = props
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
      <ServiceNotes charge={charge} />
      <div className="grid gap-x-10 gap-y-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        {explained.length > 0 && <ChargeParts requests={explained} />}
        <CalibrationFields />
      </div>
      {explained.length > 0 && <ChargedRequests requests={explained} />}
    </section>
  )
}

function ChargeFigures(props: Pick<ChargedFacts, 'charge'> & { readonly replayed: Replay }) {
  const { charge, replayed } = props
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

/** What a service does to the prices, what is charged beside tokens, and what the file states itself. */
function ServiceNotes({ charge }: Pick<ChargedFacts, 'charge'>) {
  const { t, format } = useView('charged.services')
  const { services = [], searchCost, statedCost, stubs } = charge
  if (services.length === 0 && (searchCost ?? statedCost ?? stubs) === undefined) return null
  return (
    <ul className="max-w-[80ch] text-soft text-sm">
      {services.map(({ name, price }) => (
        <li key={`${name} ${price?.factor}`}>
          {price === undefined
            ? t('unknown', { name })
            : t('known', { ...price, name, date: format.day(price.date) })}
        </li>
      ))}
      {stubs !== undefined && <li>{t('stubs', { n: stubs })}</li>}
      {statedCost !== undefined && (
        <li>{t('stated', { cost: format.money(statedCost, charge.inputCost) })}</li>
      )}
      {searchCost !== undefined && (
        <li>
          {t('searches', {
            cost: format.money(searchCost),
            source: SEARCH_PRICE.source,
            date: format.day(SEARCH_PRICE.date),
          })}
        </li>
      )}
    </ul>
  )
}

/** The steps from the plain count to the charge, each with its dollars and a bar. */
function ChargeParts({ requests }: { readonly requests: readonly ExplainedRequest[] }) {
  const { t, format } = useView('report.charged')
  const charged = requests.reduce((total, { charge }) => total + (charge.inputCost ?? 0), 0)
  const rows = [
    ...chargeSteps(format, requests, charged),
    ['charged', charged, format.money(charged, charged)] as const,
  ]
  const widest = Math.max(...rows.map(([, value]) => Math.abs(value)))
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
  const largest = ({ parts }: ExplainedRequest) =>
    CHARGE_PARTS.reduce((best, part) =>
      Math.abs(parts[part]) > Math.abs(parts[best]) ? part : best,
    )
  return (
    <DetailsTable
      label={t('title')}
      rows={requests}
      first={[t('request'), ({ request }) => request + 1]}
      pairs={[
        [
          t('tokens'),
          ({ charge, calibrated }) => [charge.inputTokens, calibrated.tokens].map(format.number),
        ],
        [
          t('read'),
          ({ charge, calibrated }) => [charge.readTokens, calibrated.split.read].map(format.number),
        ],
        [
          t('cost'),
          ({ charge: { inputCost }, calibrated: { costs } }) => [
            format.money(inputCost, costs.cached),
            format.money(costs.cached, inputCost),
          ],
        ],
      ]}
      sides={[t('charged'), t('replayed')]}
      last={[t('why'), (row) => nameOfPart(largest(row))]}
      isLastText
    />
  )
}

/** For documents without usage: what may be missing, and the fields to add it. */
export function UnseenHead() {
  const t = useTranslations('charged.unseen')
  const session = useDeferredState(sessionOf)
  if (useDeferredState(chargeOfSession) !== undefined) return null
  const hasTimes = session?.requests.some(({ sentAt }) => sentAt !== undefined) === true
  return (
    <section aria-label={t('title')}>
      <h3 className="font-medium">{t('title')}</h3>
      <p className="max-w-[80ch] text-soft text-sm">
        {t('intro')} {t('typical')} {!hasTimes && t('clock')}
      </p>
      <div className="mt-2 max-w-160">
        <CalibrationFields />
      </div>
    </section>
  )
}
