import { type KeyboardEvent, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { readTypedNumber } from '@/lib/core/text/typed-number'

export interface TypedNumberProps {
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
}

/** What was typed, and the value at that time: once another value is set, it no longer applies. */
interface Draft {
  readonly text: string
  readonly value: number | undefined
}

const LARGE_STEP = 10

/**
 * Reads what is typed into a number field. `problem` is the sentence for a number that was not taken; the typed text then
 * stays, and so does the value. For a number over the maximum, the maximum is taken, and shown once the field is left.
 */
export function useTypedNumber(props: TypedNumberProps) {
  const { id, value, minimum, maximum, digits, onValueChange, onValueCommitted } = props
  const t = useTranslations('shell.numbers')
  const locale = useLocale()
  const [draft, setDraft] = useState<Draft>()
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
  const problem = () => {
    const text = typed?.text ?? ''
    const kept = value === undefined ? '–' : shown(value)
    switch (result?.state) {
      case 'ambiguous':
        return t('ambiguous', { text, one: `${result.readings[0]}`, kept })
      case 'too_small':
        return t('too_small', { minimum: shown(minimum), maximum: shown(maximum), kept })
      case 'too_large':
        return t('too_large', { maximum: shown(maximum) })
      case 'not_whole':
      case 'not_a_number':
        return t(result.state, { text, kept })
      default:
        return undefined
    }
  }
  const sentence = problem()
  return {
    problem: sentence,
    inputProps: {
      id,
      type: 'text',
      inputMode: digits === 0 ? 'numeric' : 'decimal',
      autoComplete: 'off',
      value: typed?.text ?? shown(value),
      'aria-invalid': sentence !== undefined,
      onChange: ({ target }: { readonly target: HTMLInputElement }) => type(target.value),
      onBlur: leave,
      onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
        const { key, shiftKey, currentTarget } = event
        if (key === 'ArrowUp' || key === 'ArrowDown') {
          event.preventDefault()
          step((key === 'ArrowUp' ? 1 : -1) * (shiftKey ? LARGE_STEP : 1))
        } else if (key === 'Enter') {
          // Leaving the field ends the change.
          currentTarget.blur()
          currentTarget.focus()
        }
      },
    },
  } as const
}
