import { Fragment, useId, useLayoutEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { PLACEHOLDER_VARIABLES, type PlaceholderVariable } from '@/lib/core/policy/placeholder'
import { policyField, type TextField } from '@/lib/core/policy/policy-fields'
import { usePlaygroundState } from '../playground-context'
import { TextArea } from '../ui/text-area'
import { ChangeMark } from './change-mark'
import {
  PlaceholderGrowth,
  PlaceholderPreviewLine,
  PlaceholderPriceLine,
} from './placeholder-price'
import { TemplateChoice } from './template-choice'
import { useGesture } from './use-gesture'

const VARIABLE = new RegExp(`(\\{(?:${PLACEHOLDER_VARIABLES.join('|')})\\})`)

/** The placeholder template, with previews and token counts. */
export function PlaceholderField() {
  const t = useTranslations('policy')
  const id = useId()
  const gesture = useGesture('placeholderTemplate')
  const template = usePlaygroundState(({ policy }) => policy.placeholderTemplate)
  const { maximumLength } = policyField('placeholderTemplate') as TextField
  const area = useRef<HTMLTextAreaElement>(null)
  const caret = useRef<number>(undefined)

  useLayoutEffect(() => {
    if (caret.current === undefined) return
    area.current?.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  })

  const write = (text: string) => {
    gesture.change({ placeholderTemplate: text })
    gesture.endSoon()
  }

  const insert = (variable: PlaceholderVariable) => {
    const { selectionStart = template.length, selectionEnd = template.length } = area.current ?? {}
    const text = `{${variable}}`
    const next = template.slice(0, selectionStart) + text + template.slice(selectionEnd)
    if (next.length > maximumLength) return
    caret.current = selectionStart + text.length
    area.current?.focus()
    write(next)
  }

  return (
    <div>
      <div className="flex min-h-7 items-center justify-between gap-3">
        <span className="flex items-center gap-1.5">
          <label htmlFor={id} className="font-medium">
            {t('labels.placeholderTemplate')}
          </label>
          <ChangeMark setting="placeholderTemplate" />
        </span>
        <PlaceholderPriceLine />
      </div>
      <TextArea
        ref={area}
        id={id}
        isMono
        value={template}
        maxLength={maximumLength}
        mirror={template.split(VARIABLE).map((piece, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name, and no state
          <Fragment key={index}>
            {index % 2 === 0 ? piece : <span className="text-accent">{piece}</span>}
          </Fragment>
        ))}
        onChange={(event) => write(event.currentTarget.value)}
        onBlur={gesture.end}
      />
      <ul
        aria-label={t('placeholder.variables')}
        className="mt-1.5 flex flex-wrap gap-x-1 gap-y-0.5"
      >
        {PLACEHOLDER_VARIABLES.map((variable) => (
          <li key={variable}>
            <button
              type="button"
              aria-label={t('placeholder.insert', { variable })}
              // The text area stays focused, so that the variable is inserted at its caret.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => insert(variable)}
              className="h-6 cursor-pointer rounded-md border border-line px-1.5 font-mono text-soft text-xs hover:border-accent hover:text-accent pointer-coarse:h-11 pointer-coarse:px-2.5"
            >
              {variable}
            </button>
          </li>
        ))}
      </ul>
      {template.length >= maximumLength && (
        <p className="mt-1 text-sm text-warn">
          {t('placeholder.tooLong', { maximum: maximumLength })}
        </p>
      )}
      <PlaceholderPreviewLine />
      <PlaceholderGrowth />
      <TemplateChoice />
    </div>
  )
}
