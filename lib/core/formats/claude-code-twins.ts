/**
 * Where a Claude Code session keeps the output of a tool a second time: `toolUseResult` (`tool_use_result` in a stream)
 * on the result's own line, and `data` of the `progress` lines of its call. No model is sent either.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { RawResult } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'
import type { SourcePlace } from './build-conversation'
import { type RepeatableText, repeatableText, repeats } from './repeated-text'

type JsonObject = Readonly<Record<string, unknown>>

/** One line of a session, or one item of a list of events. */
export interface SessionLine extends SourcePlace {
  readonly value: unknown
}

const OUTPUT_KEYS = ['toolUseResult', 'tool_use_result']

/** What says what kind of value it is, or names one: it repeats no output, even where the letters are the same. */
const NAMING_KEY = /^(?:type|subtype|mode|role|status|model|filePath|timestamp)$|(?:id|Id|ID)$/

/** The progress lines of each call, by its id. */
export function progressOfCalls(
  lines: readonly SessionLine[],
): ReadonlyMap<string, readonly SessionLine[]> {
  const byCall = new Map<string, SessionLine[]>()
  for (const line of lines) {
    if (!isJsonObject(line.value) || line.value.type !== 'progress') continue
    const { parentToolUseID: id } = line.value
    if (typeof id !== 'string') continue
    const progress = byCall.get(id)
    if (progress === undefined) byCall.set(id, [line])
    else progress.push(line)
  }
  return byCall
}

/** By result of a line, the strings that share text with it; a string belongs to the first result it repeats. */
export function twinsOfResults(
  line: SessionLine & { readonly value: JsonObject },
  results: readonly RawResult[],
  progress: ReadonlyMap<string, readonly SessionLine[]>,
): readonly (readonly SourcePlace[])[] {
  const texts = results.map(({ texts: own }) =>
    own.length === 0 ? undefined : repeatableText(own.map(({ text }) => text).join('\n')),
  )
  const twins: SourcePlace[][] = results.map(() => [])
  const collect = (from: SessionLine, value: unknown, path: JsonPath, only?: number): void => {
    visitStrings(value, path, (candidate, at) => {
      const owner = texts.findIndex(
        (text, index) => (only ?? index) === index && isRepeated(candidate, text),
      )
      if (owner !== -1) twins[owner]?.push({ source: from.source, path: at })
    })
  }
  for (const key of OUTPUT_KEYS) collect(line, line.value[key], [...line.path, key])
  for (const [index, { callId }] of results.entries()) {
    for (const from of progress.get(String(callId)) ?? []) {
      const { data } = from.value as JsonObject
      collect(from, data, [...from.path, 'data'], index)
    }
  }
  return twins
}

function isRepeated(candidate: string, text: RepeatableText | undefined): boolean {
  return text !== undefined && repeats(candidate, text)
}

function visitStrings(
  value: unknown,
  path: JsonPath,
  visit: (text: string, path: JsonPath) => void,
): void {
  if (typeof value === 'string') visit(value, path)
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visitStrings(item, [...path, index], visit)
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (!NAMING_KEY.test(key)) visitStrings(member, [...path, key], visit)
    }
  }
}
