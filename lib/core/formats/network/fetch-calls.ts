/** Calls of `fetch`, as network panels copy them and as people write them: https://fetch.spec.whatwg.org/#fetch-method */
import { type QuotedString, readScriptString } from '../../text/quoted-strings'
import type { Offset } from '../../text/span'
import type { CopiedRequest } from './curl-commands'

type UnfinishedRequest = { -readonly [Key in keyof CopiedRequest]: CopiedRequest[Key] }

/** Reads the calls of a text that starts with one; undefined when it does not, or when a string is not closed. */
export function readFetchCalls(text: string): CopiedRequest[] | undefined {
  if (!/^\s*(?:(?:const|let|var)\s+\w+\s*=\s*)?(?:await\s+)?(?:window\.)?fetch\s*\(/.test(text)) {
    return undefined
  }
  const requests: UnfinishedRequest[] = []
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
