/** The words of the core in English, for the command line, the package and the page. */
import type { Problem } from '../problem'
import catalogue from './en.json' with { type: 'json' }
import { inWords, type Words } from './words'

export const ENGLISH = { ...catalogue.problems, ...catalogue.words }

export function inEnglish(words: Words): string {
  return inWords(words, ENGLISH)
}

/** Returns the English sentence of a problem. */
export function describeProblem({ code, values }: Problem): string {
  return inEnglish({ key: code, values })
}
