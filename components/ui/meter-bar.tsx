import { Meter } from '@base-ui/react/meter'

export interface MeterBarProps {
  readonly label: string
  readonly value: number
  readonly maximum: number
  /** The value in words, for screen readers. */
  readonly valueText: string
  readonly tone?: 'ink' | 'accent' | 'good' | 'warn'
}

const TONES = { ink: 'bg-ink', accent: 'bg-accent', good: 'bg-good', warn: 'bg-warn' }

/** How much of a whole; a value past the maximum fills it. */
export function MeterBar({ label, value, maximum, valueText, tone = 'ink' }: MeterBarProps) {
  return (
    <Meter.Root
      value={Math.min(value, maximum)}
      max={Math.max(maximum, 1)}
      aria-label={label}
      getAriaValueText={() => valueText}
    >
      <Meter.Track className="h-0.75 w-full overflow-hidden rounded-full bg-line">
        <Meter.Indicator
          className={`rounded-full transition-[width] duration-150 ${TONES[tone]}`}
        />
      </Meter.Track>
    </Meter.Root>
  )
}
