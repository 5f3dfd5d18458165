import { useId } from 'react'
import { useTranslations } from 'use-intl'
import { DEFAULT_HISTORY_MESSAGES } from '@/lib/core/loop/next-request'
import type { BuiltNextRequest } from '@/lib/state/loop/next-request-builder'
import {
  MOST_HISTORY,
  type StyleChoice,
  styleTextOf,
  usualModelOf,
} from '@/lib/state/loop/next-request-inputs'
import { NumberField } from '../../numbers/number-field'
import { usePlaygroundState } from '../../playground-context'
import { Button } from '../../ui/button'
import { SegmentedControl } from '../../ui/segmented-control'
import { SwitchField } from '../../ui/switch-field'
import { TextArea, TextInput } from '../../ui/text-area'
import { useNextRequest, useNextRequestState } from '../loop-tools'

/** Empty for the provider's default. */
const NUMBERS = [
  ['maxCompletionTokens', { minimum: 1, maximum: 1e9 }],
  ['topP', { minimum: 0.0001, maximum: 1, digits: 4 }],
] as const

const STYLES: readonly StyleChoice[] = ['en', 'fr', 'custom', 'none']

/** Settings of the request: style message, history, model, tools. */
export function RequestFields({ history }: Pick<BuiltNextRequest, 'history'>) {
  const t = useTranslations('nextRequest.request')
  const nextRequest = useNextRequest()
  const inputs = useNextRequestState((_, builder) => builder.inputs)
  const model = usePlaygroundState(usualModelOf)
  const id = useId()
  const { style, historyMessages } = inputs
  const setHistory = (next: number) => nextRequest.change({ historyMessages: next })
  return (
    <section className="flex flex-col gap-3">
      <h3 className="sr-only">{t('title')}</h3>
      <div>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <span className="font-medium">{t('style')}</span>
          <SegmentedControl
            kind="quiet"
            label={t('style')}
            value={style}
            options={STYLES.map((value) => ({ value, label: t(`styles.${value}`) }))}
            onValueChange={nextRequest.setStyle}
          />
        </div>
        <p id={`${id}-style`} className="text-soft text-sm">
          {t(style === 'none' ? 'styleNone' : 'styleHint')}
        </p>
        {style !== 'none' && (
          <div className="mt-1 max-h-48 overflow-y-auto">
            <TextArea
              aria-label={t('styleText')}
              aria-describedby={`${id}-style`}
              value={styleTextOf(inputs)}
              onChange={({ target }) => nextRequest.setStyleText(target.value)}
              className="text-sm"
            />
          </div>
        )}
      </div>
      <div>
        <NumberField
          label={t('history')}
          unit={t('historyUnit')}
          value={historyMessages}
          minimum={0}
          maximum={MOST_HISTORY}
          onValueChange={setHistory}
          description={t('historySends', history)}
        />
        <div className="mt-0.5 flex gap-3 text-sm">
          {history.sent < history.all && (
            <Button kind="link" onClick={() => setHistory(history.all)}>
              {t('historyAll')}
            </Button>
          )}
          {historyMessages !== DEFAULT_HISTORY_MESSAGES && (
            <Button kind="link" onClick={() => setHistory(DEFAULT_HISTORY_MESSAGES)}>
              {t('historyDefault', { count: DEFAULT_HISTORY_MESSAGES })}
            </Button>
          )}
        </div>
      </div>
      <div className="flex min-h-7 items-center justify-between gap-3">
        <label htmlFor={`${id}-model`} className="font-medium">
          {t('model')}
        </label>
        <TextInput
          id={`${id}-model`}
          value={inputs.model}
          placeholder={model}
          onChange={({ target }) => nextRequest.change({ model: target.value })}
          className="min-w-0 flex-1 font-mono placeholder:text-faint lg:max-w-60"
        />
      </div>
      <SwitchField
        label={t('tools')}
        isOn={inputs.isWithoutTools}
        onChange={(isWithoutTools) => nextRequest.change({ isWithoutTools })}
        description={t('toolsHint')}
      />
      {NUMBERS.map(([key, bounds]) => (
        <NumberField
          key={key}
          label={t(key)}
          value={inputs[key]}
          placeholder={t('providersDefault')}
          {...bounds}
          width="wide"
          onValueChange={(next) => nextRequest.change({ [key]: next })}
          onEmptied={() => nextRequest.change({ [key]: undefined })}
        />
      ))}
      <SwitchField
        label={t('stream')}
        isOn={inputs.stream}
        onChange={(stream) => nextRequest.change({ stream })}
      />
      <SwitchField
        label={t('dateResults')}
        isOn={inputs.dateResults}
        onChange={(dateResults) => nextRequest.change({ dateResults })}
        description={t('dateResultsHint')}
      />
    </section>
  )
}
