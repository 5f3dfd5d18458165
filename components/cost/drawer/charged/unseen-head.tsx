import { chargeOfSession, type HeadOutcome } from '@/lib/state/costs/charged-session'
import {
  calibrationFitOf,
  calibrationOf,
  calibrationSettingOf,
  estimateSourceOf,
  sessionOf,
} from '@/lib/state/costs/shown-session'
import { useWords } from '../../../language-provider'
import { NumberField } from '../../../numbers/number-field'
import { useDeferredState, useShownOf, useView } from '../../../playground-context'
import { Button } from '../../../ui/button'
import { SwitchField } from '../../../ui/switch-field'

/** For documents without usage: what may be missing, and how the result changes with it. */
export function UnseenHead({
  outcomes,
  conversation,
}: {
  readonly outcomes: readonly (HeadOutcome | undefined)[]
  /** The key of the conversation they are of. */
  readonly conversation: string | undefined
}) {
  const { t, format, actions } = useView('charged.unseen')
  const isComplete = outcomes.every((one) => one !== undefined)
  const { shown: known } = useShownOf(isComplete ? outcomes : undefined, conversation)
  const calibration = useDeferredState(calibrationOf)
  const session = useDeferredState(sessionOf)
  const isCharged = useDeferredState(chargeOfSession) !== undefined
  if (known === undefined || isCharged) return null
  const hasTimes = session?.requests.some(({ sentAt }) => sentAt !== undefined) === true
  return (
    <section aria-label={t('title')}>
      <h3 className="font-medium">{t('title')}</h3>
      <p className="max-w-[80ch] text-soft text-sm">{t('intro')}</p>
      <table className="mt-1 w-full max-w-160 text-sm [&_td]:py-1 [&_td]:pr-4 [&_th]:py-1 [&_th]:pr-4 [&_th]:text-left [&_th]:font-medium">
        <thead className="border-line border-b text-soft">
          <tr>
            <th scope="col">{t('head')}</th>
            <th scope="col">{t('cost')}</th>
            <th scope="col">{t('change')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {known.map(({ headTokens, replay: { before, after } }) => {
            const [from, to] = [before.costs.cached, after.costs.cached]
            const isKnown = from !== undefined && to !== undefined
            const values = isKnown
              ? { before: from, after: to }
              : { before: before.tokens, after: after.tokens }
            const shown = isKnown ? format.money : format.number
            const isUsed = (calibration?.headTokens ?? 0) === headTokens
            return (
              <tr key={headTokens} className="border-line border-b last:border-b-0">
                <th scope="row" className="tabular-nums">
                  {format.number(headTokens)}
                </th>
                <td className="tabular-nums">
                  {shown(values.before)} → {shown(values.after)}
                </td>
                <td className="tabular-nums">{format.change(values.before, values.after)}</td>
                <td className="text-right">
                  {isUsed ? (
                    <span className="text-soft">{t('used')}</span>
                  ) : (
                    <Button
                      kind="link"
                      onClick={() => actions.changeCalibration({ headTokens, isOff: false })}
                    >
                      {t.rich('use', {
                        head: format.number(headTokens),
                        more: (text) => <span className="sr-only">{text}</span>,
                      })}
                    </Button>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p className="mt-1 max-w-[80ch] text-soft text-sm">
        {t('typical')} {!hasTimes && t('clock')}
      </p>
      <div className="mt-2 max-w-160">
        <CalibrationFields />
      </div>
    </section>
  )
}

const UNSET = { headTokens: undefined, slope: undefined, requestTokens: undefined }

/** The switch of the calibration, its quality and its values, each of which can be changed. */
export function CalibrationFields() {
  const { t, format, actions } = useView('charged.fields')
  const words = useWords()
  const fit = useDeferredState(calibrationFitOf)
  const calibration = useDeferredState(calibrationOf)
  const setting = useDeferredState(calibrationSettingOf)
  const source = useDeferredState(estimateSourceOf)
  const isOn = setting?.isOff !== true
  const { headTokens, slope, requestTokens } = setting ?? UNSET
  const isChanged = (headTokens ?? slope ?? requestTokens) !== undefined
  const shown = calibration ?? fit
  const field = (key: 'headTokens' | 'requestTokens', label: string, value: number) => (
    <NumberField
      label={label}
      unit={t('tokens')}
      width="wide"
      value={value}
      minimum={0}
      maximum={1_000_000}
      isDisabled={!isOn}
      onValueChange={(next) => actions.changeCalibration({ [key]: next })}
    />
  )
  return (
    <div className="flex flex-col gap-1">
      <h4 className="font-medium text-sm">{t('title')}</h4>
      <SwitchField
        label={t(fit === undefined ? 'isOnWithoutUsage' : 'isOn')}
        isOn={isOn}
        onChange={(on) => actions.changeCalibration({ isOff: !on })}
        description={
          fit === undefined
            ? source === undefined
              ? t('none')
              : t('estimate', {
                  slope: (calibration?.slope ?? 1) * 100,
                  source: words({ name: source }),
                })
            : t('isOnNote', {
                n: fit.requestsUsed,
                percent: format.number(Math.round(fit.residualPercent * 10) / 10),
              })
        }
      />
      {field('headTokens', t('head'), shown?.headTokens ?? 0)}
      <NumberField
        label={t('slope')}
        unit={t('tokens')}
        width="wide"
        value={Math.round((shown?.slope ?? 1) * 100)}
        minimum={50}
        maximum={250}
        isDisabled={!isOn}
        onValueChange={(percent) => actions.changeCalibration({ slope: percent / 100 })}
      />
      {field('requestTokens', t('request'), shown?.requestTokens ?? 0)}
      {isChanged && (
        <Button kind="link" onClick={() => actions.changeCalibration(UNSET)}>
          {t('reset')}
        </Button>
      )}
    </div>
  )
}
