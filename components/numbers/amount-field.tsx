import { RotateCcw } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { IconButton } from '../ui/icon-button'
import { FIELD_GROUP } from '../ui/popover'
import { useTypedNumber } from './number-field'

interface AmountFieldProps {
  readonly label: string
  /** Undefined if unknown: the field is empty. */
  readonly value: number | undefined
  /** Undefined if the field was emptied. */
  readonly onValueChange: (value: number | undefined) => void
  readonly digits: number
  readonly prefix?: string
  readonly unit?: string
  /** Origin of the value. */
  readonly origin: ReactNode
  /** Label of the reset button; undefined if there is nothing to reset. */
  readonly reset: string | undefined
  readonly onReset: () => void
}

/** A number field that shows the origin of its value. The value can be replaced or unknown. */
export function AmountField(props: AmountFieldProps) {
  const { label, value, prefix, unit, origin, reset } = props
  const id = useId()
  const { inputProps, problem } = useTypedNumber({
    id,
    value,
    minimum: 0,
    maximum: 1e9,
    digits: props.digits,
    onValueChange: props.onValueChange,
  })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto_1.75rem] items-center gap-x-2 pointer-coarse:grid-cols-[minmax(0,1fr)_auto_2.75rem]">
      <span className="min-w-0">
        <label htmlFor={id} className="block font-medium">
          {label}
        </label>
        <span id={`${id}-origin`} className="block text-soft text-sm">
          {origin}
        </span>
      </span>
      <span className={`flex h-7 w-32 items-center px-2 pointer-coarse:h-11 ${FIELD_GROUP}`}>
        {prefix !== undefined && <span className="text-soft">{prefix}</span>}
        <input
          {...inputProps}
          aria-describedby={`${problem === undefined ? '' : `${id}-problem `}${id}-origin`}
          placeholder="–"
          className="h-full w-full min-w-0 bg-transparent text-right tabular-nums outline-none placeholder:text-faint aria-invalid:text-bad"
        />
        {unit !== undefined && <span className="pl-1.5 text-soft text-sm">{unit}</span>}
      </span>
      {reset === undefined ? (
        <span />
      ) : (
        <IconButton label={reset} onClick={props.onReset}>
          <RotateCcw aria-hidden />
        </IconButton>
      )}
      <p
        id={`${id}-problem`}
        aria-live="polite"
        className="col-span-full text-bad text-sm empty:hidden"
      >
        {problem}
      </p>
    </div>
  )
}
