/** What the core says, as keys of a catalogue with their values. `en.json` has the English words, `lib/messages` others. */
import type english from './en.json'
import type exports from './exports.json'
import type settings from './settings.json'

export type ProblemCode = keyof typeof english.problems

export type WordKey = keyof typeof english.words

/** Comments of exports; that of a setting has the setting's key. */
export type CommentKey = keyof typeof exports.comments | keyof typeof settings

/** A sentence or a part of one. */
export interface Phrase {
  readonly key: WordKey | ProblemCode | CommentKey
  readonly values?: Values
}

/** A name that some languages write differently, such as that of a format, what a format expects, or a sentence of a library. */
export interface Name {
  readonly name: string
  readonly values?: Values
}

/** A text and a number stay as they are; several are joined by commas. */
export type Words = string | number | Phrase | Name | readonly Words[]

export type Values = Readonly<Record<string, Words>>

/** Texts of a language by key and by name. A name is in braces where a value goes. */
export type Catalogue = Readonly<Record<string, string>>

/** A key without values, or a phrase. */
export type Said = WordKey | Phrase

export function phrase(key: WordKey, values?: Values): Phrase {
  return values === undefined ? { key } : { key, values }
}

/** Puts words into the language of a catalogue. */
export function inWords(words: Words, catalogue: Catalogue): string {
  if (typeof words !== 'object') return String(words)
  if (isList(words)) return words.map((one) => inWords(one, catalogue)).join(', ')
  const key = 'name' in words ? words.name : words.key
  const { values = {} } = words
  // A name can be any text, such as that of a member of all objects.
  const text = Object.hasOwn(catalogue, key) ? (catalogue[key] as string) : key
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value === undefined ? whole : inWords(value, catalogue)
  })
}

function isList(words: Words): words is readonly Words[] {
  return Array.isArray(words)
}
