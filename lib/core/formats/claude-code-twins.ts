/**
 * Where a Claude Code session keeps the output of a tool a second time: `toolUseResult` (`tool_use_result` in a stream)
 * and, of an MCP server, `mcpMeta` on the result's own line, and `data` of the `progress` lines of its call. No model is
 * sent any of them.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { RawResult } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'
import type { SourcePlace } from './build-conversation'
import { indexRepeats, repeatedBy } from './repeated-text'

type JsonObject = Readonly<Record<string, unknown>>

/** One line of a session, or one item of a list of events. */
export interface SessionLine extends SourcePlace {
  readonly value: unknown
}

const OUTPUT_KEYS = ['toolUseResult', 'tool_use_result', 'mcpMeta']

/** What says what kind of value it is, or names one: it repeats no output, even where the letters are the same. */
const NAMING_KEY = /^(?:type|subtype|mode|role|status|model|filePath|timestamp)$|(?:id|Id|ID)$/

/** The progress lines of each call, by its id. */
export function progressOfCalls(lines: readonly SessionLine[]): Map<string, SessionLine[]> {
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

/**
 * By result of a line, the strings that share text with it; a string belongs to the first result it repeats.
 * The progress of the line's calls is taken out of `progress`: ids can be used twice.
 */
export function twinsOfResults(
  line: SessionLine & { readonly value: JsonObject },
  results: readonly RawResult[],
  progress: Map<string, readonly SessionLine[]>,
): readonly (readonly SourcePlace[])[] {
  const texts = results.map(({ texts: own }) => own.map(({ text }) => text).join('\n'))
  const twins: SourcePlace[][] = results.map(() => [])
  const index = indexRepeats(texts)
  for (const key of OUTPUT_KEYS) {
    visitStrings(line.value[key], [...line.path, key], (candidate, path) => {
      const owner = repeatedBy(candidate, index)
      if (owner !== undefined) twins[owner]?.push({ source: line.source, path })
    })
  }
  for (const [at, { callId }] of results.entries()) {
    const own = progress.get(String(callId))
    if (own === undefined) continue
    progress.delete(String(callId))
    const ownIndex = indexRepeats([texts[at]])
    for (const { source, path, value } of own) {
      visitStrings((value as JsonObject).data, [...path, 'data'], (candidate, inner) => {
        if (repeatedBy(candidate, ownIndex) !== undefined) twins[at]?.push({ source, path: inner })
      })
    }
  }
  return twins
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
