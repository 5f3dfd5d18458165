import {
  calibrationFitOf,
  calibrationOf,
  calibrationSettingOf,
  estimateSourceOf,
} from '@/lib/state/costs/shown-session'
import { useWords } from '../../language-provider'
import { NumberField } from '../../numbers/number-field'
import { useDeferredState, useView } from '../../playground-context'
import { linkTo } from '../../ui/button'
import { SwitchField } from '../../ui/switch-field'

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
  const basis = () => {
    if (fit !== undefined) {
      const percent = format.number(Math.round(fit.residualPercent * 10) / 10)
      return t('isOnNote', { n: fit.requestsUsed, percent })
    }
    if (source === undefined) return t('none')
    return t('estimate', {
      slope: (calibration?.slope ?? 1) * 100,
      source: words({ name: source }),
    })
  }
  const field = (
    key: keyof typeof UNSET,
    label: string,
    value: number,
    [minimum, maximum, unit]: readonly [number, number, number] = [0, 1_000_000, 1],
  ) => (
    <NumberField
      label={label}
      unit={t('tokens')}
      width="wide"
      value={Math.round(value * unit)}
      minimum={minimum}
      maximum={maximum}
      isDisabled={!isOn}
      onValueChange={(next) => actions.changeCalibration({ [key]: next / unit })}
    />
  )
  return (
    <div className="flex flex-col gap-1">
      <h4 className="font-medium text-sm">{t('title')}</h4>
      <SwitchField
        label={t(fit === undefined ? 'isOnWithoutUsage' : 'isOn')}
        isOn={isOn}
        onChange={(on) => actions.changeCalibration({ isOff: !on })}
        description={basis()}
      />
      {field('headTokens', t('head'), shown?.headTokens ?? 0)}
      {fit !== undefined && (
        <p className="text-soft text-sm">
          {t('readable', {
            isKnown: fit.readableTokens ? 'likely' : fit.warmTokens === undefined ? 'no' : 'yes',
            tokens: format.number(fit.readableTokens ?? fit.warmTokens),
          })}{' '}
          {t('answers', { isAdded: fit.addsOutput === true ? 'yes' : 'no' })}
        </p>
      )}
      {field('slope', t('slope'), shown?.slope ?? 1, [50, 250, 100])}
      {field('requestTokens', t('request'), shown?.requestTokens ?? 0)}
      {isChanged && linkTo(() => actions.changeCalibration(UNSET))(t('reset'))}
    </div>
  )
}
