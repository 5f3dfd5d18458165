/** The settings of a mechanism in the words of its vendor, by the template that `mechanisms.json` has for it. */
import type { Mechanism, Settings } from './mechanism'

/** The text for the vendor's file or code; undefined where the vendor has no place for settings. */
export function writeSettings({ export: template }: Pick<Mechanism, 'export'>, settings: Settings) {
  if (template === undefined) return undefined
  const { lines, note = '', ...place } = template
  const written = (some: readonly string[]) => some.flatMap((line) => fill(line, settings))
  return { ...place, text: `${written(lines).join('\n')}\n`, note: written([note]).join('') }
}

function fill(line: string, settings: Settings): readonly string[] {
  const [condition = '', sign, key = ''] = /^([?!])(\S+) /.exec(line) ?? []
  if (condition === '')
    return [line.replace(/\{([\w.]+)\}/g, (_, name) => JSON.stringify(settings[name]))]
  const value = settings[key]
  const isOn = Array.isArray(value) ? value.length > 0 : Boolean(value) && value !== 'none'
  return isOn === (sign === '?') ? fill(line.slice(condition.length), settings) : []
}
