import fc from 'fast-check'
import {
  defaultSettings,
  type Mechanism,
  type SettingRow,
  type Settings,
  type SettingValue,
} from '../mechanism'

const SMALL = [0, 1, 2, 3, 8, 40, 200]

/** Settings that change something in short sessions, also where the vendor allows no number that is so small. */
export function anySettings(mechanism: Mechanism): fc.Arbitrary<Settings> {
  const anyValue = ({ value, options, least = 0, most = 1e6 }: SettingRow) => {
    if (options) return fc.constantFrom<SettingValue>(...options)
    if (typeof value === 'boolean') return fc.boolean()
    if (Array.isArray(value)) return fc.constantFrom<SettingValue>(value, ['read'])
    if (typeof value !== 'number') return fc.constant(value)
    const bound = (one: number) => Math.min(Math.max(one, least > 1_000 ? 0 : least), most)
    return fc.constantFrom(...SMALL.map(bound))
  }
  const rows = mechanism.rows.map((row) => [row.key, anyValue(row)])
  return fc
    .record(Object.fromEntries(rows) as Record<string, fc.Arbitrary<SettingValue>>)
    .map((settings) => ({ ...defaultSettings(mechanism), ...settings }))
}
