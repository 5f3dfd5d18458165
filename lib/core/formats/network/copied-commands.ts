/**
 * cURL commands as network panels copy them, for POSIX shells and for the Windows command line:
 * https://curl.se/docs/manpage.html
 * Calls of `fetch`, as network panels copy them and as people write them: https://fetch.spec.whatwg.org/#fetch-method
 */
import {
  type QuotedString,
  readAnsiQuotes,
  readDoubleQuotes,
  readPlainQuotes,
  readScriptString,
} from '../../text/quoted-strings'
import type { Offset } from '../../text/span'

/** A request that was copied as code. */
export type CopiedRequest = Record<'method' | 'url' | 'body', string | undefined>

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

/** Reads the calls of a text that starts with one; undefined when it does not, or when a string is not closed. */
export function readFetchCalls(text: string): CopiedRequest[] | undefined {
  if (!/^\s*(?:(?:const|let|var)\s+\w+\s*=\s*)?(?:await\s+)?(?:window\.)?fetch\s*\(/.test(text)) {
    return undefined
  }
  const requests: CopiedRequest[] = []
  let at: Offset = 0
  while (at < text.length) {
    const next = nextToken(text, at)
    if (next === undefined) break
    const { value, end, isString } = next
    if (value === undefined) return undefined
    at = end
    const open = requests.at(-1)
    if (!isString && value === 'fetch' && /^\s*\(/.test(text.slice(end, end + 40))) {
      requests.push({ method: undefined, url: undefined, body: undefined })
    } else if (open !== undefined && isString && open.url === undefined) {
      open.url = value
    } else if (open !== undefined && (value === 'body' || value === 'method')) {
      const colon = /^\s*:\s*/.exec(text.slice(end, end + 80))
      if (colon === null) continue
      const given = readValue(text, end + colon[0].length)
      if (given === undefined) continue
      open[value] = given.value
      at = given.end
    }
  }
  return requests.map((request) => ({ ...request, method: request.method ?? 'GET' }))
}

const NOT_CLOSED = { value: undefined, end: 0 }

/** Reads the next name or string; `value` is undefined for a string that is not closed or has `${}` in it. */
function nextToken(text: string, from: Offset) {
  const token = /["'`]|[A-Za-z_$][\w$]*/g
  token.lastIndex = from
  const found = token.exec(text)
  if (found === null) return undefined
  const isString = /["'`]/.test(found[0])
  if (!isString) return { value: found[0], end: token.lastIndex, isString }
  return { ...(readScriptString(text, found.index) ?? NOT_CLOSED), isString }
}

/** Reads a string, or the argument of `JSON.stringify` as written. */
function readValue(text: string, at: Offset): QuotedString | undefined {
  if (/["'`]/.test(text.charAt(at))) return readScriptString(text, at)
  const call = /^JSON\s*\.\s*stringify\s*\(\s*/.exec(text.slice(at, at + 80))
  if (call === null) return undefined
  const start = at + call[0].length
  const end = endOfBrackets(text, start)
  return end === undefined ? undefined : { value: text.slice(start, end), end }
}

/** Offset after the bracket that closes the one at `start`; undefined when it is not closed. */
function endOfBrackets(text: string, start: Offset): Offset | undefined {
  const sign = /["'`]|[[{]|[\]}]/g
  sign.lastIndex = start
  let depth = 0
  for (let found = sign.exec(text); found !== null; found = sign.exec(text)) {
    if (/["'`]/.test(found[0])) {
      const end = readScriptString(text, found.index)?.end
      if (end === undefined) return undefined
      sign.lastIndex = end
    } else if (/[[{]/.test(found[0])) depth++
    else if (--depth <= 0) return depth === 0 ? sign.lastIndex : undefined
  }
  return undefined
}

/** Method, host and path of a request; without its query, which may contain keys. */
export function requestTarget(method: unknown, url: unknown): string {
  const place = typeof url === 'string' ? url : ''
  const address = place.replace(/^[a-z][a-z\d+.-]*:\/\//i, '').replace(/[?#].*$/s, '')
  return `${typeof method === 'string' ? method : ''} ${address}`.trim()
}
