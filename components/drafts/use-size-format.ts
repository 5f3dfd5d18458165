import { useFormatter } from 'use-intl'

/** Bytes in the largest unit that gives at least one, with a place where it tells something. */
export function useSizeFormat(): (bytes: number) => string {
  const format = useFormatter()
  return (bytes) => {
    const unit = bytes < 1e3 ? 'byte' : bytes < 1e6 ? 'kilobyte' : 'megabyte'
    const value = unit === 'byte' ? bytes : bytes / (unit === 'kilobyte' ? 1e3 : 1e6)
    const maximumFractionDigits = value < 10 && unit !== 'byte' ? 1 : 0
    return format.number(value, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits,
    })
  }
}
