/** Texts that the core writes in English, in the language of the page: `a list of 3 items` as `une liste de 3 éléments`. */

/** Returns a text of the core in the language of the page; a text without a translation stays English. */
export type Phrases = (text: string) => string

/**
 * English texts with their translations. A name in braces stands for any text, which is translated itself; `{n}` and
 * `{m}` stand for digits.
 */
export type PhraseTable = Readonly<Record<string, string>>

interface Pattern {
  readonly expression: RegExp
  readonly names: readonly string[]
  readonly translation: string
}

/** Longer texts are never made from the table; the search would take long. */
const LONGEST = 2000

const NAME = /\{(\w+)\}/g

export function phrasesOf(table: PhraseTable): Phrases {
  const patterns = Object.entries(table)
    .filter(([english]) => english.includes('{'))
    .sort(([one], [other]) => fixedLength(other) - fixedLength(one))
    .map(([english, translation]) => patternOf(english, translation))
  const phrases = (text: string): string => {
    if (Object.hasOwn(table, text)) return table[text] as string
    if (text.length > LONGEST) return text
    for (const { expression, names, translation } of patterns) {
      const found = expression.exec(text)
      if (found === null) continue
      const values = new Map(names.map((name, at) => [name, phrases(found[at + 1] as string)]))
      return translation.replace(NAME, (whole, name: string) => values.get(name) ?? whole)
    }
    return text
  }
  return phrases
}

function fixedLength(english: string): number {
  return english.replace(NAME, '').length
}

function patternOf(english: string, translation: string): Pattern {
  const names = [...english.matchAll(NAME)].map(([, name]) => name as string)
  const parts = english.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const source = parts.reduce(
    (before, part, at) =>
      `${before}${/^[nm]$/.test(names[at - 1] ?? '') ? '(\\d+)' : '(.*?)'}${part}`,
  )
  return { expression: new RegExp(`^${source}$`, 's'), names, translation }
}
