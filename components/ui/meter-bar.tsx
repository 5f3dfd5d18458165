import { Meter } from '@base-ui/react/meter'

export interface MeterBarProps {
  readonly label: string
  readonly value: number
  /** Previous value, drawn fainter behind the value. */
  readonly before?: number | undefined
  readonly maximum: number
  /** The value in words, for screen readers. */
  readonly valueText: string
  readonly tone?: 'ink' | 'accent' | 'good' | 'warn'
}

const TONES = { ink: 'bg-ink', accent: 'bg-accent', good: 'bg-good', warn: 'bg-warn' }

/** A bar for a share of a maximum. A value above the maximum fills it. */
export function MeterBar(props: MeterBarProps) {
  const { label, value, before = 0, maximum, valueText, tone = 'ink' } = props
  const beforePercent = Math.min(100, (before / Math.max(maximum, 1)) * 100)
  return (
    <Meter.Root
      value={Math.min(value, maximum)}
      max={Math.max(maximum, 1)}
      aria-label={label}
      getAriaValueText={() => valueText}
    >
      <Meter.Track className="h-0.75 relative w-full overflow-hidden rounded-full bg-line">
        <span
          className="absolute inset-y-0 left-0 rounded-full bg-ghost/60 transition-[width] duration-150"
          style={{ width: `${beforePercent}%` }}
        />
        <Meter.Indicator
          className={`relative rounded-full transition-[width] duration-150 forced-colors:bg-[Highlight] ${TONES[tone]}`}
        />
      </Meter.Track>
    </Meter.Root>
  )
}
