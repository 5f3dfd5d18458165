/** What the core says, in English, for tests. */
import { assertReadError } from '../problem'
import { describeProblem, inEnglish } from '../words/english'
import type { Words } from '../words/words'

/** The sentence of the `ReadError` that a function throws; empty if it throws none. */
export function sentenceThrownBy(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    assertReadError(error)
    return describeProblem(error.problem)
  }
  return ''
}

/** The same value with English texts in place of phrases and names, at any depth. */
export function spoken(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spoken)
  if (typeof value !== 'object' || value === null) return value
  const isPhrase = ['key', 'name'].some((member) => Object.hasOwn(value, member))
  const others = Object.keys(value).filter((member) => !['key', 'name', 'values'].includes(member))
  if (isPhrase && others.length === 0) return inEnglish(value as Words)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, spoken(member)]))
}
