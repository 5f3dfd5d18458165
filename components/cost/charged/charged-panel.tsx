import { Fragment } from 'react'
import type { Replay } from '@/lib/core/replay/replay'
import { SEARCH_PRICE } from '@/lib/core/replay/service-prices'
import type { ChargedFacts } from '@/lib/core/report/report-facts'
import { chargeOfSession } from '@/lib/state/costs/charged-session'
import { sessionOf } from '@/lib/state/costs/shown-session'
import { useDeferredState, useView } from '../../playground-context'
import { chargedFacts } from '../report/report-lists'
import { useReportTexts } from '../use-report-texts'
import { CalibrationFields } from './calibration-fields'

/** What was charged beside the replay, and why a plain count differs; nothing without usage. */
export function ChargedPanel(props: {
  readonly replayed: Replay
  readonly charged: ChargedFacts | undefined
}) {
  const { replayed, charged } = props
  const { t } = useView('charged')
  const texts = useReportTexts()
  if (charged === undefined) return null
  const { charge } = charged
  return (
    <section aria-label={t('title')} className="flex flex-col gap-3">
      <div>
        <h3 className="font-medium">{t('title')}</h3>
        <p className="max-w-[80ch] text-soft text-sm">
          {t('intro', { known: charge.requests, all: replayed.requests.length })}
        </p>
      </div>
      <ServiceNotes charge={charge} />
      <div className="grid gap-x-10 gap-y-4 @3xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <dl className="grid grid-cols-[1fr_auto] content-start gap-x-4 gap-y-1 text-sm tabular-nums [&>dd]:text-right">
          {chargedFacts(texts, charged).map(([term, value]) => (
            <Fragment key={term}>
              <dt className="text-soft">{term}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        </dl>
        <CalibrationFields />
      </div>
    </section>
  )
}

/** What a service does to the prices, what is charged beside tokens, and what the file states itself. */
function ServiceNotes({ charge }: Pick<ChargedFacts, 'charge'>) {
  const { t, format } = useView('charged.services')
  const { services = [], searchCost, statedCost, stubs } = charge
  const { source, date } = SEARCH_PRICE
  const notes = [
    ...services.map(({ name, price }) =>
      price === undefined
        ? t('unknown', { name })
        : t('known', { ...price, name, date: format.day(price.date) }),
    ),
    stubs !== undefined && t('stubs', { n: stubs }),
    statedCost !== undefined && t('stated', { cost: format.money(statedCost, charge.inputCost) }),
    searchCost !== undefined &&
      t('searches', { cost: format.money(searchCost), source, date: format.day(date) }),
  ].filter((note) => note !== false)
  if (notes.length === 0) return null
  return (
    <ul className="max-w-[80ch] text-soft text-sm">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}

/** For documents without usage: what may be missing, and the fields to add it. */
export function UnseenHead() {
  const { t } = useView('charged.unseen')
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
