/** Writes tool names, which can be any strings, where lone surrogates or commas have no notation. */

/** An escape: `\u{`, the hexadecimal number of a code point or lone surrogate, and `}`. */
const ESCAPE = /\\u\{([0-9a-f]{1,6})\}/gi

/** Lone surrogates, and backslashes that would read as the start of an escape. */
const UNWRITABLE = /\p{Surrogate}|\\(?=u\{[0-9a-f]{1,6}\})/giu

/** As `UNWRITABLE`, and outer white space, zero characters, and backslashes before a comma or the end. */
const UNWRITABLE_IN_LIST = /\p{Surrogate}|\\(?=u\{[0-9a-f]{1,6}\}|,|$)|^\s|\s$|\0/giu

/** The name as well-formed text; `unescapeToolName` gives the name back. Other names stay as they are. */
export function escapeToolName(name: string): string {
  return name.replace(UNWRITABLE, escapeOf)
}

export function unescapeToolName(text: string): string {
  return text.replace(ESCAPE, (found, digits: string) => {
    const code = Number.parseInt(digits, 16)
    return code > 0x10ffff ? found : String.fromCodePoint(code)
  })
}

/** Names as one argument of a command line: separated by commas, with `\,` for a comma in a name. One empty name is a comma. */
export function writeToolList(names: readonly string[]): string {
  const write = (name: string) => name.replace(UNWRITABLE_IN_LIST, escapeOf).replaceAll(',', '\\,')
  return names.map(write).join(',') || ','.repeat(names.length)
}

/** Reads names that `writeToolList` or a user wrote. White space around a name is ignored; a name may be empty, which none is. */
export function readToolList(text: string): string[] {
  if (text.trim() === '') return []
  return text.split(/(?<!\\),/).map((name) => unescapeToolName(name.trim().replaceAll('\\,', ',')))
}

const escapeOf = (character: string) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`
