import { type ReactNode, useId } from 'react'
import { FIELD_GROUP } from '../ui/surface'
import { useTypedNumber } from './use-typed-number'

export interface NumberFieldProps {
  readonly label: string
  readonly value: number
  readonly minimum: number
  readonly maximum: number
  readonly onValueChange: (value: number) => void
  /** Called when the field loses focus or is stepped by a key. */
  readonly onValueCommitted?: (by: 'blur' | 'keyboard') => void
  readonly isLabelHidden?: boolean
  /** Shown beside the label but not part of the name, such as a mark of change. */
  readonly mark?: ReactNode
  readonly description?: ReactNode
  /** Unit shown in the field after the number. */
  readonly unit?: ReactNode
  readonly width?: 'narrow' | 'wide'
  readonly isDisabled?: boolean
}

/** A whole number, typed or stepped by arrow keys. A number that does not fit is refused with a sentence. */
export function NumberField(props: NumberFieldProps) {
  const { label, mark, description, unit, isDisabled = false } = props
  const id = useId()
  const { inputProps, problem } = useTypedNumber({
    id,
    value: props.value,
    minimum: props.minimum,
    maximum: props.maximum,
    digits: 0,
    // An empty field gets its value back when it is left.
    onValueChange: (next) => next !== undefined && props.onValueChange(next),
    onValueCommitted: props.onValueCommitted,
  })
  const isLong = inputProps.value.length > 5
  const [narrow, long] = unit === undefined ? ['w-14', 'w-26'] : ['w-26', 'w-40']
  const described = [
    ...(problem === undefined ? [] : [`${id}-problem`]),
    ...(description === undefined ? [] : [`${id}-description`]),
  ]
  return (
    <div className={isDisabled ? 'opacity-45' : undefined}>
      <div className="flex min-h-7 items-center justify-between gap-3">
        <span className={props.isLabelHidden ? 'sr-only' : 'flex min-w-0 items-center gap-1.5'}>
          <label htmlFor={id} className="font-medium">
            {label}
          </label>
          {mark}
        </span>
        <span
          className={`flex h-7 shrink-0 items-center pointer-coarse:h-11 ${isLong ? long : props.width === 'wide' ? 'w-32' : narrow} ${FIELD_GROUP}`}
        >
          <input
            {...inputProps}
            disabled={isDisabled}
            aria-describedby={described.length === 0 ? undefined : described.join(' ')}
            className={`h-full w-full min-w-0 bg-transparent text-right tabular-nums outline-none aria-invalid:text-bad ${unit === undefined ? 'px-2' : 'pl-2'}`}
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
      {description !== undefined && (
        <p id={`${id}-description`} className="mt-0.5 text-soft text-sm">
          {description}
        </p>
      )}
    </div>
  )
}
