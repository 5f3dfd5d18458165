import { isJsonObject } from '../../text/json-object'
import type { SourceDocument } from './source-document'

/** Returns those of the keys that occur anywhere in a source, in the given order. */
export function findKeys(source: SourceDocument, keys: readonly string[]): string[] {
  const missing = new Set(keys)
  const visit = (value: unknown): void => {
    if (missing.size === 0) return
    if (Array.isArray(value)) {
      for (const item of value) visit(item)
    } else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        missing.delete(key)
        visit(member)
      }
    }
  }
  for (const { value } of source.values) visit(value)
  return keys.filter((key) => !missing.has(key))
}
