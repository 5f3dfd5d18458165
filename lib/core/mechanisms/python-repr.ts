import { isJsonObject } from '../text/json'

/** A value of JSON as `repr` of Python writes it. */
export function pythonRepr(value: unknown): string {
  if (typeof value === 'string') return reprOfText(value)
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(
      ([key, one]) => `${reprOfText(key)}: ${pythonRepr(one)}`,
    )
    return `{${members.join(', ')}}`
  }
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return value === null ? 'None' : String(value)
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function reprOfText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const written = text.replace(/[\\'\p{C}\p{Z}]/gu, (character) => {
    if (character === ' ' || (character === "'" && quote === '"')) return character
    if (character === '\\' || character === "'") return `\\${character}`
    const code = (character.codePointAt(0) as number).toString(16)
    const [mark, digits] = code.length <= 2 ? ['x', 2] : code.length <= 4 ? ['u', 4] : ['U', 8]
    return ESCAPES[character] ?? `\\${mark}${code.padStart(digits as number, '0')}`
  })
  return quote + written + quote
}
