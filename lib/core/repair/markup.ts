/** How model families write calls into a text, where no server took the call apart: `markup.json`, with its sources. */
import { parseJson } from '../text/json'
import type { Offset } from '../text/span'
import table from './markup.json' with { type: 'json' }
import { skipWhite } from './parser/lookahead'
import type { RepairRisk } from './repair-strategies'

/** A row of the table. `name`, and the tags of a parameter, are patterns in which `NAME` and `KEY` stand for names. */
interface ModelMarkup {
  /** Tags that frame a call. Servers and copies also write DeepSeek's full-width bar as a plain one. */
  readonly tags: readonly string[]
  /** The name of the call, in a tag or beside one; the call has it too. */
  readonly name?: string
  /** Quotation marks around raw text, also shortened; the longest comes first. */
  readonly quotes?: readonly string[]
  readonly parameter?: { readonly open: string; readonly close: string }
}

const ROWS: readonly ModelMarkup[] = table
const TAGS = ROWS.flatMap(({ tags }) => tags.map(withPlainBars))
const LONGEST_TAG = Math.max(...TAGS.map((tag) => tag.length))
const CALL_NAME = pattern(ROWS.flatMap(({ name }) => name ?? []).join('|'), 'y')
const MARKS = ROWS.flatMap(({ quotes }) => quotes ?? []).map((mark) => mark.replaceAll('|', '\\|'))
const MARK = pattern(MARKS.join('|'), 'y')
const NEXT_MARK = pattern(MARKS.join('|'), 'g')

/** The tags around parameters, by family. */
const PARAMETERS = ROWS.flatMap(({ parameter }) =>
  parameter === undefined
    ? []
    : { open: pattern(parameter.open, 'dy'), close: pattern(parameter.close, 'g') },
)

function pattern(source: string, flags: string): RegExp {
  const named = source.replaceAll('NAME', '[\\w.:-]{1,100}')
  return new RegExp(named.replace('KEY', '(?<key>[^"<>]{1,200}?)'), flags)
}

function withPlainBars(text: string): string {
  return text.replaceAll('｜', '|')
}

/** End of the tag or the named call at an offset, also of a tag that the end of the text cuts off; `at` if there is none. */
export function markupEnd(text: string, at: Offset): Offset {
  if (text[at] !== '<' && text[at] !== '[') return at
  const reach = withPlainBars(text.slice(at, at + LONGEST_TAG))
  const isHalf = at + reach.length === text.length && reach.length > (text[at] === '<' ? 1 : 3)
  const tag = TAGS.find((one) => reach.startsWith(one) || (isHalf && one.startsWith(reach)))
  return tag === undefined ? callNameEnd(text, at) : Math.min(text.length, at + tag.length)
}

/** End of the name of a call that its markup shows to be one; `at` if there is none. */
export function callNameEnd(text: string, at: Offset): Offset {
  CALL_NAME.lastIndex = at
  return at + (CALL_NAME.exec(text)?.[0].length ?? 0)
}

/** End of a tag whose start is missing at the start of a text; 0 if there is none. */
export function cutOffTagEnd(text: string): Offset {
  const half = withPlainBars(/^[^<[>\]]{1,40}[>\]]/.exec(text)?.[0] ?? '')
  return TAGS.some((tag) => half !== '' && tag.endsWith(half)) ? half.length : 0
}

/** The text that a model's own quotation marks enclose at an offset; `end` is that of the text if the last mark is missing. */
export function markedText(text: string, at: Offset) {
  MARK.lastIndex = at
  if (text[at] !== '<' || !MARK.test(text)) return undefined
  const from = MARK.lastIndex
  NEXT_MARK.lastIndex = from
  const closing = NEXT_MARK.exec(text)
  const end = closing?.index ?? text.length
  return { from, end, next: closing === null ? end : NEXT_MARK.lastIndex }
}

/**
 * Returns arguments that a model wrote as tags, one for each parameter, as an object, those of several calls as a list;
 * undefined for any other text.
 */
export function parseTags(text: string): { text: string; risk: RepairRisk } | undefined {
  const first = skipFraming(text, 0).end
  const tags = PARAMETERS.find(({ open }) => {
    open.lastIndex = first
    return open.test(text)
  })
  if (tags === undefined) return undefined
  const { open, close } = tags
  const isFramed = text.slice(0, first).includes('<')
  const calls: string[][] = []
  let [at, risk]: [Offset, RepairRisk] = [0, 'none']
  for (;;) {
    const { end: next, isCall } = skipFraming(text, at)
    open.lastIndex = next
    const found = open.exec(text)
    if (found === null) {
      // Only closing tags end a call; without one behind a call's last parameter the text was cut off.
      const rest = text.slice(at).trim()
      const isWhole = rest === '' ? !isFramed : rest.startsWith('</') && !isCall
      if (next < text.length || !isWhole) risk = 'loss'
      break
    }
    if (isCall || calls.length === 0) calls.push([])
    const { key = '', isText } = found.groups as Readonly<Record<string, string>>
    const from = open.lastIndex
    close.lastIndex = from
    const closing = close.exec(text)
    const value = jsonOf(text.slice(from, closing?.index), isText, open)
    calls.at(-1)?.push(`${JSON.stringify(key)}: ${value.json}`)
    // Without its closing tag a value was cut off.
    if (closing === null) risk = 'loss'
    else if (risk === 'none' && !value.isCertain) risk = 'guess'
    at = closing === null ? text.length : close.lastIndex
  }
  const objects = calls.map((members) => `{${members.join(', ')}}`)
  return { text: objects.length === 1 ? `${objects[0]}` : `[${objects.join(', ')}]`, risk }
}

/** Skips tags and the name of a call. */
function skipFraming(text: string, from: Offset): { end: Offset; isCall: boolean } {
  let isCall = false
  for (let at = skipWhite(text, from); ; ) {
    const name = callNameEnd(text, at)
    isCall ||= name > at
    const end = skipWhite(text, Math.max(name, markupEnd(text, at)))
    if (end === at) return { end, isCall }
    at = end
  }
}

/** Writes a value as JSON. Where the tag does not say if it is text, what reads as another value is one. */
function jsonOf(written: string, isText: string | undefined, { source }: RegExp) {
  const content = isText === undefined ? written.replace(/^\n|\n$/g, '') : written
  const value = isText === 'true' ? undefined : parseJson(content)
  const isJson = value !== undefined && (isText === 'false' || typeof value !== 'string')
  // With a parameter in it, its closing tag is missing.
  const isCertain = isText === String(!isJson) && !new RegExp(source).test(content)
  return { json: isJson ? content : JSON.stringify(content), isCertain }
}
