import { useFormatter } from 'use-intl'

const MINUTE = 60_000

/** Milliseconds as seconds, from a minute on as minutes and seconds; `digits` behind the point. */
export function useDurationFormat(): (milliseconds: number, digits?: number) => string {
  const format = useFormatter()
  return (milliseconds, digits = 1) => {
    const shown = (value: number, options: object) => format.number(value, options)
    const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits }
    if (milliseconds < MINUTE) return `${shown(milliseconds / 1000, fraction)} s`
    const minutes = Math.floor(milliseconds / MINUTE)
    const seconds = Math.floor((milliseconds % MINUTE) / 1000)
    return `${shown(minutes, {})} min ${shown(seconds, { minimumIntegerDigits: 2 })} s`
  }
}
