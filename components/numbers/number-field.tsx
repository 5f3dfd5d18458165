import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { readTypedNumber } from '@/lib/core/text/typed-number'
import { BrokenAtSigns } from '../ui/line-breaks'
import { FIELD_GROUP } from '../ui/popover'

/** A number, typed or stepped by arrow keys. A number that does not fit is refused with a sentence. */
export function NumberField(props: {
  readonly label: string
  readonly value: number | undefined
  readonly minimum: number
  readonly maximum: number
  /** Largest number of decimals; whole numbers only, if there is none. */
  readonly digits?: number
  readonly onValueChange: (value: number) => void
  /** Called when the field is emptied; without it, an empty field gets its value back when it is left. */
  readonly onEmptied?: () => void
  /** Shown in the empty field. */
  readonly placeholder?: string
  /** Called when the field loses focus or is stepped by a key. */
  readonly onValueCommitted?: (by: 'blur' | 'keyboard') => void
  readonly isLabelHidden?: boolean
  /** Shown beside the label but not part of the name, such as a mark of change. */
  readonly mark?: ReactNode
  readonly description?: ReactNode
  /** Unit shown in the field after the number. */
  readonly unit?: ReactNode
  readonly width?: 'narrow' | 'wide' | 'full'
  readonly isDisabled?: boolean
}) {
  const { label, mark, description, unit, isDisabled = false } = props
  const id = useId()
  const { inputProps, problem } = useTypedNumber({
    id,
    value: props.value,
    minimum: props.minimum,
    maximum: props.maximum,
    digits: props.digits ?? 0,
    onValueChange: (next) => (next === undefined ? props.onEmptied?.() : props.onValueChange(next)),
    onValueCommitted: props.onValueCommitted,
  })
  const isLong = inputProps.value.length > 5
  const isWide = props.width === 'wide'
  const short = isWide ? 'w-32' : unit === undefined ? 'w-14' : 'w-26'
  const long = unit !== undefined ? 'w-40' : isWide ? 'w-32' : 'w-26'
  const width = props.width === 'full' ? 'w-full' : isLong ? long : short
  const described = [
    ...(problem === undefined ? [] : [`${id}-problem`]),
    ...(description === undefined ? [] : [`${id}-description`]),
  ]
  return (
    <div className={isDisabled ? 'opacity-45' : undefined}>
      <div className="flex min-h-7 items-center justify-between gap-3">
        <span
          className={props.isLabelHidden ? 'sr-only' : 'relative flex min-w-0 items-center gap-1.5'}
        >
          <label htmlFor={id} className="min-w-0 font-medium wrap-anywhere">
            <BrokenAtSigns text={label} />
          </label>
          {mark}
        </span>
        <span
          className={`flex h-7 shrink-0 items-center pointer-coarse:h-11 ${width} ${FIELD_GROUP}`}
        >
          <input
            {...inputProps}
            disabled={isDisabled}
            placeholder={props.placeholder}
            aria-describedby={described.length === 0 ? undefined : described.join(' ')}
            className={`h-full w-full min-w-0 bg-transparent text-right tabular-nums outline-none placeholder:text-faint aria-invalid:text-bad ${unit === undefined ? 'px-2' : 'pl-2'}`}
          />
          {unit !== undefined && (
            <label htmlFor={id} className="w-15 shrink-0 cursor-text pl-1.5 text-soft text-sm">
              {unit}
            </label>
          )}
        </span>
      </div>
      <p id={`${id}-problem`} aria-live="polite" className="text-bad text-sm empty:hidden">
        {problem}
      </p>
      <p id={`${id}-description`} className="mt-0.5 text-soft text-sm empty:hidden">
        {description}
      </p>
    </div>
  )
}

/**
 * Reads what is typed into a number field. `problem` is the sentence for a number that was not taken; the typed text then
 * stays, and so does the value. For a number over the maximum, the maximum is taken, and shown once the field is left.
 */
export function useTypedNumber(props: {
  readonly id: string
  /** Undefined shows an empty field. */
  readonly value: number | undefined
  readonly minimum: number
  readonly maximum: number
  /** Largest number of decimals shown; 0 takes whole numbers only. */
  readonly digits: number
  /** Undefined if the field was emptied. */
  readonly onValueChange: (value: number | undefined) => void
  readonly onValueCommitted?: ((by: 'blur' | 'keyboard') => void) | undefined
}) {
  const { id, value, minimum, maximum, digits, onValueChange, onValueCommitted } = props
  const t = useTranslations('shell.numbers')
  const locale = useLocale()
  /** What was typed, and the value at that time: once another value is set, it no longer applies. */
  const [draft, setDraft] = useState<{ readonly text: string; readonly value: typeof value }>()
  const shown = (number: number | undefined) =>
    number === undefined
      ? ''
      : new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(number)
  const read = (text: string) =>
    readTypedNumber(text, {
      reader: typeof navigator === 'undefined' ? locale : navigator.language,
      page: locale,
      isWhole: digits === 0,
      minimum,
      maximum,
    })
  const typed = draft?.value === value ? draft : undefined
  const result = typed === undefined ? undefined : read(typed.text)
  const isTaken = result === undefined || ['number', 'empty', 'too_large'].includes(result.state)

  const type = (text: string) => {
    const next = read(text)
    const taken =
      next.state === 'number' ? next.value : next.state === 'too_large' ? maximum : undefined
    if (taken !== undefined || next.state === 'empty') onValueChange(taken)
    setDraft({ text, value: taken ?? value })
  }
  const step = (by: number) => {
    const from = value ?? minimum
    onValueChange(Math.min(maximum, Math.max(minimum, Number((from + by).toFixed(digits)))))
    onValueCommitted?.('keyboard')
    setDraft(undefined)
  }
  const leave = () => {
    if (isTaken) setDraft(undefined)
    onValueCommitted?.('blur')
  }
  const isSaid = result !== undefined && result.state !== 'number' && result.state !== 'empty'
  const problem = isSaid
    ? t(result.state, {
        text: typed?.text ?? '',
        one: result.state === 'ambiguous' ? `${result.readings[0]}` : '',
        minimum: shown(minimum),
        maximum: shown(maximum),
        kept: value === undefined ? '–' : shown(value),
      })
    : undefined
  return {
    problem,
    inputProps: {
      id,
      type: 'text',
      inputMode: digits === 0 ? 'numeric' : 'decimal',
      autoComplete: 'off',
      value: typed?.text ?? shown(value),
      'aria-invalid': isSaid,
      onChange: ({ target }: { readonly target: HTMLInputElement }) => type(target.value),
      onBlur: leave,
      onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
        const { key, shiftKey, currentTarget } = event
        if (key === 'ArrowUp' || key === 'ArrowDown') {
          event.preventDefault()
          step((key === 'ArrowUp' ? 1 : -1) * (shiftKey ? 10 : 1))
        } else if (key === 'Enter') {
          // Leaving the field ends the change.
          currentTarget.blur()
          currentTarget.focus()
        }
      },
    },
  } as const
}
