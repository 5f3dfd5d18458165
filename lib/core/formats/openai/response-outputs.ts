/**
 * Reads the outputs in items of the Responses API; `response-item.ts` says which item has which.
 * A list of parts is masked only with the setting `text_parts`, as in chat completions, where a text is the norm. Lists
 * that a hosted tool always writes (logs, search results, outputs of a shell) count as text.
 */
import type { ResultShape } from '../../conversation/conversation'
import type { RawText } from '../../conversation/link-messages'
import { isJsonObject, itemsOf, membersOf, parseJson, scalarText } from '../../text/json'
import type { JsonPath } from '../../text/json-path'
import { longestFirst, type MessageBody, textAt } from '../reading/raw-message'

export interface Output {
  readonly shape: ResultShape
  /** Texts that masking replaces; the first becomes the placeholder. */
  readonly texts: readonly RawText[]
  /** The rest of the output, which masking does not change. */
  readonly contents: readonly RawText[]
  readonly nonTextParts: number
}

const NO_TEXT: Output = { shape: 'other', texts: [], contents: [], nonTextParts: 0 }

/** Reads an output that is a text, a list of parts, one part, or an object whose `content` is the text; undefined for others. */
export function readOutput(output: unknown, path: JsonPath): Output | undefined {
  if (output === null || output === undefined) return NO_TEXT
  if (typeof output === 'string') {
    return { ...NO_TEXT, shape: 'text', texts: [{ text: output, path }] }
  }
  if (Array.isArray(output)) return readParts(output, path)
  if (!isJsonObject(output)) return undefined
  if (typeof output.content === 'string') return readOutput(output.content, [...path, 'content'])
  const texts = textAt(output, 'text', path)
  if (texts.length > 0) return { ...NO_TEXT, shape: 'text_parts', texts }
  return typeof output.type === 'string' ? { ...NO_TEXT, nonTextParts: 1 } : undefined
}

function readParts(parts: readonly unknown[], path: JsonPath): Output {
  const texts = parts.flatMap((part, index) => textAt(part, 'text', [...path, index]))
  const nonTextParts = parts.length - texts.length
  if (texts.length === 0 || nonTextParts > 0) return { ...NO_TEXT, contents: texts, nonTextParts }
  return { ...NO_TEXT, shape: 'text_parts', texts }
}

/** Reports values that are not parts, and parts that should have a text but do not. */
export function reportWrongParts(body: MessageBody, parts: unknown, path: JsonPath): void {
  body.eachObject(parts, path, 'part_with_type', ({ type, text }, at) => {
    if (TEXT_PARTS.has(scalarText(type)) && typeof text !== 'string')
      body.report([...at, 'text'], text, 'text')
  })
}

const TEXT_PARTS = new Set(['input_text', 'output_text', 'text', 'summary_text', 'reasoning_text'])

/**
 * Reads the texts under some keys of the objects in a list, which is how hosted tools write results. When one object has
 * none of the keys, such as an image among logs, the output is not text. Undefined when the value is not a list.
 */
export function readTextsUnder(
  list: unknown,
  keys: readonly string[],
  path: JsonPath,
): Output | undefined {
  if (list === null || list === undefined) return NO_TEXT
  if (!Array.isArray(list)) return undefined
  const texts = list.map((entry: unknown, index) =>
    keys.flatMap((key) => textAt(entry, key, [...path, index])),
  )
  const nonTextParts = texts.filter(({ length }) => length === 0).length
  if (nonTextParts > 0) return { ...NO_TEXT, contents: texts.flat(), nonTextParts }
  const [first, ...others] = longestFirst(texts.flat())
  if (first === undefined) return NO_TEXT
  const frame = JSON.stringify(list, (key, value: unknown) =>
    keys.includes(key) && typeof value === 'string' ? '' : value,
  )
  return { ...NO_TEXT, shape: 'text', texts: [first, ...others], contents: [{ text: frame }] }
}

/**
 * Recognises outputs of failed commands. Items of the Responses API have no error flag: Codex and similar clients write
 * the exit code into the output, as a header or as JSON around it, and a `shell_call_output` has an `outcome` per command.
 */
/** The header that Codex writes before the output of a command or script. */
const HEADER =
  /^(?:Exit code: (?<shell>-?\d+)|Process exited with code (?<session>-?\d+)|(?<script>Script failed))/m
const HEADER_LENGTH = 400
const HEADER_END = /^Output:/m

/** True if the exit code in the text of an output shows that the command failed. */
export function isFailedOutput(text: string): boolean {
  const start = text.slice(0, HEADER_LENGTH)
  if (/^\s*\{/.test(start)) return hasFailingCode(text)
  const groups = HEADER.exec(start.slice(0, HEADER_END.exec(start)?.index))?.groups
  if (groups === undefined) return false
  return groups.script !== undefined || Number(groups.shell ?? groups.session) !== 0
}

/** `{"output": …, "metadata": {"exit_code": 1}}`, or with the code at the top. */
function hasFailingCode(text: string): boolean {
  if (!text.includes('"exit_code"')) return false
  const value = membersOf(parseJson(text))
  const { exit_code: code } = isJsonObject(value.metadata) ? value.metadata : value
  return typeof code === 'number' && code !== 0
}

/** True if a command of a `shell_call_output` failed or timed out. */
export function hasFailedOutcome(output: unknown): boolean {
  return itemsOf(output).some((entry) => {
    const { type, exit_code: code } = membersOf(membersOf(entry).outcome)
    return type === 'timeout' || (type === 'exit' && typeof code === 'number' && code !== 0)
  })
}
