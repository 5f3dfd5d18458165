/**
 * cURL commands as network panels copy them, for POSIX shells and for the Windows command line:
 * https://curl.se/docs/manpage.html
 */
import {
  type QuotedString,
  readAnsiQuotes,
  readDoubleQuotes,
  readPlainQuotes,
} from '../../text/quoted-strings'
import type { Offset } from '../../text/span'

/** A request that was copied as code. */
export interface CopiedRequest {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly body: string | undefined
}

const DATA_OPTION = /^(?:--data(?:-raw|-binary|-ascii)?|--json|-d)$/

/** Options with a value, which must not be taken for the address. */
const VALUE_OPTION = /^(?:-[AbcCDeEFhHKmoPQrtTuUwxXyYz]|--[a-z][a-z-]*)$/

/** Long options without a value. */
const FLAG_OPTION =
  /^--(?:compressed|insecure|location|include|silent|show-error|verbose|globoff|http[\d.]+|fail|no-.*|get|head|raw|anyauth|basic|ntlm|digest|tlsv[\d.]+|path-as-is)$/

/** Reads the commands of a text that starts with one; undefined when it does not, or when a string is not closed. */
export function readCurlCommands(text: string): CopiedRequest[] | undefined {
  if (!/^\s*(?:\$ +)?curl(?:\.exe)?\s/.test(text)) return undefined
  const commands = splitCommands(withoutCarets(text))
  return commands
    ?.filter((words) => /^curl(?:\.exe)?$/.test(words.find((word) => word !== '$') ?? ''))
    .map(requestOf)
}

/** Removes carets: the Windows command line escapes characters and line ends with them, even in quotes. */
function withoutCarets(text: string): string {
  const [firstLine = ''] = text.trimStart().split('\n', 1)
  if (!/\^\s*$/.test(firstLine)) return text
  return text.replace(/\^(?:\r?\n(\r?\n)?|([\s\S]))/g, (_, again: string | undefined, sign = '') =>
    sign === '' ? (again === undefined ? ' ' : '\n') : sign,
  )
}

/** Splits a text into commands, each a list of words; `;`, `&`, `|` and line ends separate commands. */
function splitCommands(text: string): string[][] | undefined {
  const commands: string[][] = [[]]
  let word: string[] | undefined
  const add = (part: string) => {
    word ??= []
    word.push(part)
  }
  const endWord = () => {
    if (word !== undefined) commands.at(-1)?.push(word.join(''))
    word = undefined
  }
  let at: Offset = 0
  while (at < text.length) {
    const sign = text[at] as string
    if (sign === '\\') {
      const skipped = /^\\\r?\n/.exec(text.slice(at, at + 3))
      if (skipped === null) add(text.charAt(at + 1))
      at += skipped?.[0].length ?? 2
    } else if (/[\n;&|]/.test(sign)) {
      endWord()
      commands.push([])
      at++
    } else if (/\s/.test(sign)) {
      endWord()
      at++
    } else {
      const quoted = readQuoted(text, at)
      if (quoted === 'open') return undefined
      const plain = quoted ?? readPlain(text, at)
      add(plain.value)
      at = plain.end
    }
  }
  endWord()
  return commands
}

/** Reads the quoted string at an offset; undefined when there is none, `open` when it is not closed. */
function readQuoted(text: string, at: Offset): QuotedString | 'open' | undefined {
  if (text[at] === "'") return readPlainQuotes(text, at) ?? 'open'
  if (text[at] === '"') return readDoubleQuotes(text, at) ?? 'open'
  if (text.startsWith("$'", at)) return readAnsiQuotes(text, at + 1) ?? 'open'
  return undefined
}

function readPlain(text: string, at: Offset): QuotedString {
  const special = /[\s'"\\;&|$]/g
  special.lastIndex = at + 1
  const end = special.exec(text)?.index ?? text.length
  return { value: text.slice(at, end), end }
}

function requestOf(words: readonly string[]): CopiedRequest {
  const data: string[] = []
  let method: string | undefined
  let url: string | undefined
  const apply = (option: string, value: string): void => {
    const isFile = value.startsWith('@') && option !== '--data-raw'
    if (DATA_OPTION.test(option) && !isFile) data.push(value)
    else if (option === '-X' || option === '--request') method = value
    else if (option === '--url') url = value
  }
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    const [, option, value] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? /^(-[dX])(.+)$/s.exec(word) ?? []
    const hasValue = DATA_OPTION.test(word) || (VALUE_OPTION.test(word) && !FLAG_OPTION.test(word))
    if (option !== undefined) apply(option, value as string)
    else if (hasValue) apply(word, words[++at] ?? '')
    else if (/^https?:\/\//i.test(word)) url ??= word
  }
  const body = data.length === 0 ? undefined : data.join('&')
  return { method: method ?? (body === undefined ? 'GET' : 'POST'), url, body }
}
