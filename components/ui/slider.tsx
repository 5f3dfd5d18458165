import { Slider as Base } from '@base-ui/react/slider'

/** A slider with one thumb. A value outside its range is shown at the end. */
export function Slider(props: {
  readonly label: string
  readonly value: number
  readonly minimum: number
  readonly maximum: number
  readonly onValueChange: (value: number) => void
  /** Called after a drag or after each key. The caller groups bursts of keys. */
  readonly onValueCommitted?: (value: number, by: 'pointer' | 'keyboard') => void
  /** The value in words, for screen readers. */
  readonly valueText?: (value: number) => string
  readonly isDisabled?: boolean
}) {
  const { label, value, minimum, maximum, valueText } = props
  return (
    <Base.Root
      value={Math.min(Math.max(value, minimum), maximum)}
      min={minimum}
      max={Math.max(maximum, minimum + 1)}
      largeStep={Math.max(2, Math.round((maximum - minimum) / 10))}
      disabled={props.isDisabled ?? false}
      onValueChange={(next) => props.onValueChange(next)}
      onValueCommitted={(next, { reason }) =>
        props.onValueCommitted?.(next, reason === 'keyboard' ? 'keyboard' : 'pointer')
      }
    >
      <Base.Control className="flex w-full cursor-pointer touch-none select-none flex-col data-disabled:opacity-45">
        <div className="flex h-7 items-center pointer-coarse:h-11">
          <Base.Track className="h-1 w-full rounded-full bg-line forced-colors:bg-[GrayText]">
            <Base.Indicator className="rounded-full bg-accent" />
            <Base.Thumb
              getAriaLabel={() => label}
              getAriaValueText={valueText === undefined ? null : (_, shown) => valueText(shown)}
              className="size-4 rounded-full border-2 border-accent bg-raised has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent has-[:focus-visible]:outline-offset-2 pointer-coarse:size-6"
            />
          </Base.Track>
        </div>
      </Base.Control>
    </Base.Root>
  )
}
