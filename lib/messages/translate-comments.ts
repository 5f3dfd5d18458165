import type { Phrases } from './phrases'

/** A line's indent, code and comment mark, then its comment, then what ends it. */
const COMMENT = /^(.*?(?:\/\/|#:?|\/\*\*|""") ?|[ \t]*)(\S.*?)( \*\/|""")?$/gm

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
