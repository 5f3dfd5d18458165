import { Toggle } from '@base-ui/react/toggle'
import { ToggleGroup } from '@base-ui/react/toggle-group'

const PRESSED = {
  filled: 'data-pressed:bg-ink data-pressed:text-paper',
  quiet: 'data-pressed:bg-accent-tint data-pressed:text-accent',
}

/** A choice of a few options side by side. A choice can be replaced but not cleared. */
export function SegmentedControl<Value extends string>(props: {
  readonly label: string
  /** Undefined if no option applies. */
  readonly value: Value | undefined
  /** `name` is the accessible one if the label is short. */
  readonly options: readonly {
    readonly value: Value
    readonly label: string | number
    readonly name?: string
  }[]
  readonly onValueChange: (value: Value) => void
  /** `filled` switches a view, `quiet` offers quick choices below a field. */
  readonly kind?: 'filled' | 'quiet'
}) {
  const { label, value, options, onValueChange, kind = 'filled' } = props
  return (
    <ToggleGroup<Value>
      aria-label={label}
      value={value === undefined ? [] : [value]}
      onValueChange={([chosen]) => {
        if (chosen !== undefined) onValueChange(chosen)
      }}
      className="inline-flex overflow-hidden rounded-md border border-line bg-raised"
    >
      {options.map((option) => (
        <Toggle
          key={option.value}
          value={option.value}
          aria-label={option.name}
          className={`h-6.5 min-w-7 flex-auto whitespace-nowrap cursor-pointer select-none px-2.5 @max-[22rem]:px-1 text-soft text-sm transition-colors hover:text-ink focus-visible:-outline-offset-2 data-pressed:font-medium pointer-coarse:h-11 -ml-px border-line border-l ${PRESSED[kind]}`}
        >
          {option.label}
        </Toggle>
      ))}
    </ToggleGroup>
  )
}
