import { NumberField as Base } from '@base-ui/react/number-field'
import { type ReactNode, useId, useState } from 'react'
import { FIELD_GROUP } from './surface'

export interface NumberFieldProps {
  readonly label: string
  readonly value: number
  readonly minimum: number
  readonly maximum: number
  readonly onValueChange: (value: number) => void
  /** Called when the field loses focus or is stepped by a key. */
  readonly onValueCommitted?: (by: 'blur' | 'keyboard') => void
  /** Locale for digit grouping. Not the browser's, so that the page uses one language. */
  readonly locale?: string
  readonly isLabelHidden?: boolean
  /** Shown beside the label but not part of the name, such as a mark of change. */
  readonly mark?: ReactNode
  readonly description?: ReactNode
  /** Unit shown in the field after the number. */
  readonly unit?: ReactNode
  readonly width?: 'narrow' | 'wide'
  readonly isDisabled?: boolean
}

const WHOLE: Intl.NumberFormatOptions = { maximumFractionDigits: 0 }

/** A whole number, typed or stepped by arrow keys. Leaving the field clamps it; an empty field gets its value back. */
export function NumberField(props: NumberFieldProps) {
  const { label, value, onValueChange, onValueCommitted, mark, description, unit } = props
  const id = useId()
  // The field may be empty while typing; the value outside does not change then.
  const [isEmpty, setIsEmpty] = useState(false)
  return (
    <Base.Root
      id={id}
      value={isEmpty ? null : value}
      min={props.minimum}
      max={props.maximum}
      locale={props.locale ?? 'en'}
      format={WHOLE}
      disabled={props.isDisabled ?? false}
      onValueChange={(next, { reason }) => {
        setIsEmpty(next === null && reason !== 'input-blur')
        if (next !== null) onValueChange(next)
      }}
      onValueCommitted={(_, { reason }) =>
        onValueCommitted?.(reason === 'keyboard' ? 'keyboard' : 'blur')
      }
    >
      <div className="flex min-h-7 items-center justify-between gap-3">
        <span className={props.isLabelHidden ? 'sr-only' : 'flex min-w-0 items-center gap-1.5'}>
          <label htmlFor={id} className="font-medium">
            {label}
          </label>
          {mark}
        </span>
        <span
          className={`flex h-7 shrink-0 items-center pointer-coarse:h-11 ${props.width === 'wide' ? 'w-32' : unit === undefined ? 'w-14' : 'w-24'} ${FIELD_GROUP}`}
        >
          <Base.Input
            aria-roledescription={undefined}
            aria-describedby={description === undefined ? undefined : `${id}-description`}
            onBlur={() => setIsEmpty(false)}
            onKeyDown={({ key, currentTarget }) => {
              if (key !== 'Enter') return
              // Leaving the field rounds and clamps.
              currentTarget.blur()
              currentTarget.focus()
            }}
            className={`h-full w-full min-w-0 bg-transparent text-right tabular-nums outline-none ${unit === undefined ? 'px-2' : 'pl-2'}`}
          />
          {unit !== undefined && (
            <label htmlFor={id} className="w-12 shrink-0 cursor-text pl-1.5 text-soft text-sm">
              {unit}
            </label>
          )}
        </span>
      </div>
      {description !== undefined && (
        <p id={`${id}-description`} className="mt-0.5 text-soft text-sm">
          {description}
        </p>
      )}
    </Base.Root>
  )
}
