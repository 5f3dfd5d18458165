'use client'

import { useId } from 'react'
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
import { FIELD_SURFACE } from '../../ui/popover'
import { SegmentedControl } from '../../ui/segmented-control'
import { SwitchField } from '../../ui/switch-field'
import { TextArea } from '../../ui/text-area'
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
  const isWhole = history.sent >= history.all
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
          onValueChange={(next) => nextRequest.change({ historyMessages: next })}
          description={t('historySends', history)}
        />
        <div className="mt-0.5 flex gap-3 text-sm">
          {!isWhole && (
            <Button
              kind="link"
              onClick={() => nextRequest.change({ historyMessages: history.all })}
            >
              {t('historyAll')}
            </Button>
          )}
          {historyMessages !== DEFAULT_HISTORY_MESSAGES && (
            <Button
              kind="link"
              onClick={() => nextRequest.change({ historyMessages: DEFAULT_HISTORY_MESSAGES })}
            >
              {t('historyDefault', { count: DEFAULT_HISTORY_MESSAGES })}
            </Button>
          )}
        </div>
      </div>
      <div>
        <div className="flex min-h-7 items-center justify-between gap-3">
          <label htmlFor={`${id}-model`} className="font-medium">
            {t('model')}
          </label>
          <input
            id={`${id}-model`}
            type="text"
            value={model}
            spellCheck={false}
            aria-invalid={model.trim() === ''}
            aria-describedby={model.trim() === '' ? `${id}-no-model` : undefined}
            onChange={({ target }) => nextRequest.change({ model: target.value })}
            className={`h-7 min-w-0 flex-1 px-2 font-mono text-sm pointer-coarse:h-11 lg:max-w-60 ${FIELD_SURFACE}`}
          />
        </div>
        {model.trim() === '' && (
          <p id={`${id}-no-model`} className="text-sm text-warn">
            {t('modelNone')}
          </p>
        )}
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
      <OptionalNumber
        label={t('maxCompletionTokens')}
        value={inputs.maxCompletionTokens}
        error={completionLimitOf(inputs) === null ? t('maxCompletionTokensBad') : undefined}
        onChange={(maxCompletionTokens) => nextRequest.change({ maxCompletionTokens })}
      />
      <OptionalNumber
        label={t('topP')}
        value={inputs.topP}
        error={topPOf(inputs) === null ? t('topPBad') : undefined}
        onChange={(topP) => nextRequest.change({ topP })}
      />
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

interface OptionalNumberProps {
  readonly label: string
  /** As typed; empty for the provider's default. */
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

function OptionalNumber({ label, value, error, onChange }: OptionalNumberProps) {
  const t = useTranslations('nextRequest.request')
  const id = useId()
  return (
    <div>
      <div className="flex min-h-7 items-center justify-between gap-3">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <input
          id={id}
          type="text"
          inputMode="decimal"
          value={value}
          placeholder={t('providersDefault')}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          onChange={({ target }) => onChange(target.value)}
          className={`h-7 w-36 px-2 text-right text-sm tabular-nums pointer-coarse:h-11 ${FIELD_SURFACE}`}
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
