import { RotateCcw } from 'lucide-react'
import { useId } from 'react'
import type { SessionCostTerms } from '@/lib/state/costs/cost-terms'
import { useTypedNumber } from '../numbers/number-field'
import { useView } from '../playground-context'
import { IconButton } from '../ui/icon-button'
import { FIELD_GROUP } from '../ui/popover'

/** A price or size of the model with its origin, which the user can replace, and reset once it is. */
export function OverrideField(props: {
  readonly terms: SessionCostTerms
  readonly name: keyof NonNullable<SessionCostTerms['model']['overrides']>
  readonly label: string
  /** Undefined if unknown: the field is empty. */
  readonly value: number | undefined
  readonly digits: number
  readonly prefix?: string
  readonly unit?: string
  /** Origin of the value. */
  readonly origin: string
}) {
  const { terms, name, label, value, digits, prefix, unit, origin } = props
  const { t, actions } = useView('cost.prices')
  const id = useId()
  const { key, overrides } = terms.model
  const change = (next: number | undefined) => actions.changeModelOverrides(key, { [name]: next })
  const { inputProps, problem } = useTypedNumber({
    id,
    value,
    minimum: 0,
    maximum: 1e9,
    digits,
    onValueChange: change,
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
      {overrides?.[name] === undefined ? (
        <span />
      ) : (
        <IconButton
          label={t('reset', { label })}
          icon={RotateCcw}
          onClick={() => change(undefined)}
        />
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
