import { type ComponentProps, useId } from 'react'
import { useTranslations } from 'use-intl'
import { DEFAULT_HISTORY_MESSAGES } from '@/lib/core/loop/next-request'
import type { BuiltNextRequest } from '@/lib/state/loop/next-request-builder'
import {
  completionLimitOf,
  MOST_HISTORY,
  requestModelOf,
  type StyleChoice,
  styleTextOf,
  topPOf,
} from '@/lib/state/loop/next-request-inputs'
import { NumberField } from '../../numbers/number-field'
import { Button } from '../../ui/button'
import { SegmentedControl } from '../../ui/segmented-control'
import { SwitchField } from '../../ui/switch-field'
import { TextArea, TextInput } from '../../ui/text-area'
import { useNextRequest, useNextRequestState } from '../loop-tools'

const STYLES: readonly StyleChoice[] = ['en', 'fr', 'custom', 'none']

/** Settings of the request: style message, history, model, tools. */
export function RequestFields({ history }: Pick<BuiltNextRequest, 'history'>) {
  const t = useTranslations('nextRequest.request')
  const nextRequest = useNextRequest()
  const inputs = useNextRequestState((_, builder) => builder.inputs)
  const model = useNextRequestState((page, builder) => requestModelOf(page, builder.inputs))
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
      <div>
        <InputRow
          label={t('model')}
          value={model}
          error={model.trim() === '' ? t('modelNone') : undefined}
          onChange={({ target }) => nextRequest.change({ model: target.value })}
          className="min-w-0 flex-1 font-mono lg:max-w-60"
        />
        {inputs.model !== undefined && (
          <Button
            kind="link"
            className="text-sm"
            onClick={() => nextRequest.change({ model: undefined })}
          >
            {t('modelDefault')}
          </Button>
        )}
      </div>
      <SwitchField
        label={t('tools')}
        isOn={inputs.isWithoutTools}
        onChange={(isWithoutTools) => nextRequest.change({ isWithoutTools })}
        description={t('toolsHint')}
      />
      {numberRow(
        'maxCompletionTokens',
        completionLimitOf(inputs) === null && t('maxCompletionTokensBad'),
      )}
      {numberRow('topP', topPOf(inputs) === null && t('topPBad'))}
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

  /** A number as typed; empty for the provider's default. */
  function numberRow(key: 'maxCompletionTokens' | 'topP', error: string | false) {
    return (
      <InputRow
        label={t(key)}
        inputMode="decimal"
        value={inputs[key]}
        placeholder={t('providersDefault')}
        error={error || undefined}
        onChange={({ target }) => nextRequest.change({ [key]: target.value })}
        className="w-36 text-right tabular-nums"
      />
    )
  }
}

type InputRowProps = ComponentProps<'input'> & { label: string; error: string | undefined }

/** A field with its label beside it, and what is wrong with its text below. */
function InputRow({ label, error, ...input }: InputRowProps) {
  const id = useId()
  return (
    <div>
      <div className="flex min-h-7 items-center justify-between gap-3">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <TextInput
          id={id}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          {...input}
        />
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm text-warn">
          {error}
        </p>
      )}
    </div>
  )
}
