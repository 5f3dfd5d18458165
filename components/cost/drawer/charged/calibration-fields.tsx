'use client'

import { useTranslations } from 'use-intl'
import {
  calibrationFitOf,
  calibrationOf,
  calibrationSettingOf,
  estimateSourceOf,
} from '@/lib/state/costs/shown-session'
import { useWords } from '../../../language-provider'
import { NumberField } from '../../../numbers/number-field'
import { useDeferredState, usePlayground } from '../../../playground-context'
import { Button } from '../../../ui/button'
import { SwitchField } from '../../../ui/switch-field'
import { useFigureFormat } from '../../../use-figure-format'

const MOST_TOKENS = 1_000_000

/** The switch of the calibration, its quality and its values, each of which can be changed. */
export function CalibrationFields() {
  const t = useTranslations('charged.fields')
  const words = useWords()
  const format = useFigureFormat()
  const { actions } = usePlayground()
  const fit = useDeferredState(calibrationFitOf)
  const calibration = useDeferredState(calibrationOf)
  const setting = useDeferredState(calibrationSettingOf)
  const source = useDeferredState(estimateSourceOf)
  const isOn = setting?.isOff !== true
  const isChanged = [setting?.headTokens, setting?.slope, setting?.requestTokens].some(
    (value) => value !== undefined,
  )
  const shown = calibration ?? fit
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
      <NumberField
        label={t('head')}
        unit={t('tokens')}
        width="wide"
        value={shown?.headTokens ?? 0}
        minimum={0}
        maximum={MOST_TOKENS}
        isDisabled={!isOn}
        onValueChange={(headTokens) => actions.changeCalibration({ headTokens })}
      />
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
      <NumberField
        label={t('request')}
        unit={t('tokens')}
        width="wide"
        value={shown?.requestTokens ?? 0}
        minimum={0}
        maximum={MOST_TOKENS}
        isDisabled={!isOn}
        onValueChange={(requestTokens) => actions.changeCalibration({ requestTokens })}
      />
      {isChanged && (
        <Button
          kind="link"
          onClick={() =>
            actions.changeCalibration({
              headTokens: undefined,
              slope: undefined,
              requestTokens: undefined,
            })
          }
        >
          {t('reset')}
        </Button>
      )}
    </div>
  )
}
