/** A line's indent, code and comment mark, then its comment, then what ends it. */
const COMMENT = /^(.*?(?:\/\/|#:?|\/\*\*|""") ?|[ \t]*)(\S.*?)( \*\/|""")?$/gm

/** Returns a comment of an export in the language of the page; one without a translation stays English. */
export type Phrases = (text: string) => string

/** Longer texts are never made from the table; the search would take long. */
const LONGEST = 2000

const NAME = /\{\w+\}/

/** Translates by a table of English texts; a name in braces stands for any text. */
export function phrasesOf(table: Readonly<Record<string, string>>): Phrases {
  const patterns = Object.entries(table)
    .filter(([english]) => NAME.test(english))
    .map(([english, translation]) => {
      const parts = english.split(NAME).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      return { expression: new RegExp(`^${parts.join('(.*?)')}$`, 's'), translation }
    })
  return (text) => {
    if (Object.hasOwn(table, text)) return table[text] as string
    if (text.length > LONGEST) return text
    for (const { expression, translation } of patterns) {
      const [, value] = expression.exec(text) ?? []
      if (value !== undefined) return translation.replace(NAME, () => value)
    }
    return text
  }
}

/**
 * Returns an exported text with the comments that `phrases` knows in the language of the page. Code stays as it is: a
 * comment is a whole sentence of the table.
 */
export function translateComments(text: string, phrases: Phrases): string {
  return text.replace(
    COMMENT,
    (_, before: string, comment: string, end = '') => `${before}${phrases(comment)}${end}`,
  )
}
