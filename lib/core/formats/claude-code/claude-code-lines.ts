/**
 * The lines of a Claude Code session, as its files and its stream have them.
 * Finds where a Claude Code session repeats the output of a tool: `toolUseResult` (`tool_use_result` in a stream) and
 * `mcpMeta` on the line of the result, and `data` of the call's `progress` lines. No model receives any of them.
 */

import { addToGroup } from '../../conversation/add-to-group'
import type { RawResult } from '../../conversation/link-messages'
import {
  isJsonObject,
  type JsonObject,
  scalarText,
  type Unchecked,
  visitStrings,
} from '../../text/json-object'
import type { AnthropicMessage } from '../anthropic/anthropic-message'
import type { SourcePath } from '../reading/build-conversation'
import { findDuplicatedResult, indexResultTexts } from '../reading/find-repeats'
import type { ListItem } from '../reading/message-lists'

export interface RawLine {
  /** `user` and `assistant` lines have messages. */
  readonly type: string
  /** `compact_boundary` on lines of type `system`. */
  readonly subtype?: string
  readonly message?: AnthropicMessage
  readonly uuid?: string
  readonly parentUuid?: string | null
  readonly timestamp?: string
  readonly sessionId?: string
  readonly isSidechain?: boolean
  readonly agentId?: string
  /** True for the summary that replaces all messages before it. */
  readonly isCompactSummary?: boolean
  /** True for a note about a failed request, which no model wrote or receives. */
  readonly isApiErrorMessage?: boolean
  /** The output of the tool for the program; `mcpMeta` is that of an MCP server. */
  readonly toolUseResult?: unknown
  readonly mcpMeta?: unknown
  /** On lines of type `progress`: the call, and its output so far or a line of the agent that it started. */
  readonly parentToolUseID?: string
  readonly data?: { readonly message?: RawLine; readonly agentId?: string }
  /** Names in a stream. */
  readonly session_id?: string
  readonly parent_tool_use_id?: string | null
  readonly tool_use_result?: unknown
}

/** A line that is an object with a type. */
export interface TypedLine extends ListItem {
  readonly value: Unchecked<RawLine> & JsonObject
}

/** Returns the line of an agent that a `progress` line contains, with the agent's id; undefined for other lines. */
export function agentLineOf({ source, path, value }: TypedLine): TypedLine | undefined {
  const { type, data, parentToolUseID } = value
  if (type !== 'progress' || !isJsonObject(data)) return undefined
  const { message: line, agentId }: Unchecked<NonNullable<RawLine['data']>> = data
  if (!isJsonObject(line) || !isMessageLine(line) || !isJsonObject(line.message)) return undefined
  const agent = { ...line, isSidechain: true, agentId: agentId ?? parentToolUseID }
  return { source, path: [...path, 'data', 'message'], value: agent }
}

export function isMessageLine<Line extends Unchecked<RawLine>>(
  line: Line,
): line is Line & { readonly type: 'user' | 'assistant' } {
  return line.type === 'user' || line.type === 'assistant'
}

/** Keys around a message that only these lines have. */
export const ENVELOPE_KEYS = [
  'parentUuid',
  'isSidechain',
  'toolUseResult',
  'parent_tool_use_id',
  'tool_use_result',
  'sessionId',
  'session_id',
] as const satisfies readonly (keyof RawLine)[]

const OUTPUT_KEYS = ['toolUseResult', 'tool_use_result', 'mcpMeta'] as const

/** Keys of values that are names, kinds or ids; they are not duplicates even when an output has the same text. */
const NAMING_KEY = /^(?:type|subtype|mode|role|status|model|filePath|timestamp)$|(?:id|Id|ID)$/
const isName = (key: string) => NAMING_KEY.test(key)

/** Groups the progress lines by the id of their call. */
export function progressOfCalls(lines: readonly TypedLine[]): Map<string, TypedLine[]> {
  const byCall = new Map<string, TypedLine[]>()
  for (const line of lines) {
    if (line.value.type !== 'progress') continue
    const { parentToolUseID: id } = line.value
    if (typeof id === 'string') addToGroup(byCall, id, line)
  }
  return byCall
}

/**
 * Returns, for each result of a line, the strings that share text with it; a string belongs to the first result it
 * repeats. Removes the progress of the line's calls from `progress`, because ids can be used twice.
 */
export function duplicatesOfResults(
  line: TypedLine,
  results: readonly RawResult[],
  progress: Map<string, readonly TypedLine[]>,
): SourcePath[][] {
  const resultTexts = results.map(({ texts }) => texts.map(({ text }) => text).join('\n'))
  const duplicates: SourcePath[][] = results.map(() => [])
  const index = indexResultTexts(resultTexts)
  const previews = resultTexts.map(previewIn)
  for (const key of OUTPUT_KEYS) {
    visitStrings(
      line.value[key],
      [...line.path, key],
      (text, path) => {
        const result =
          findDuplicatedResult(text, index) ??
          indexOrUndefined(previews.findIndex((preview) => preview && text.includes(preview)))
        if (result !== undefined) duplicates[result]?.push({ source: line.source, path })
      },
      isName,
    )
  }
  for (const [result, { callId }] of results.entries()) {
    const id = scalarText(callId)
    const index = indexResultTexts([resultTexts[result]])
    for (const { source, path, value } of progress.get(id) ?? []) {
      // The messages of an agent are a conversation of their own.
      const data = isJsonObject(value.data) ? { ...value.data, message: undefined } : value.data
      visitStrings(
        data,
        [...path, 'data'],
        (text, inner) => {
          if (findDuplicatedResult(text, index) !== undefined)
            duplicates[result]?.push({ source, path: inner })
        },
        isName,
      )
    }
    progress.delete(id)
  }
  return duplicates
}

/**
 * Returns the start of the longest line in the preview of a stored result, since the preview can end inside a line.
 * Undefined for any other result.
 */
function previewIn(result: string): string | undefined {
  if (!result.startsWith('<persisted-output>')) return undefined
  // Without the line of the tag that ends it.
  const lines = result.slice(result.indexOf('\nPreview')).split('\n').slice(2, -1)
  const longest = lines.reduce((best, next) => (next.length > best.length ? next : best), '')
  const start = longest.trim().slice(0, LONGEST_PREVIEW)
  return start.length < SHORTEST_PREVIEW ? undefined : start
}

const SHORTEST_PREVIEW = 12
const LONGEST_PREVIEW = 200

function indexOrUndefined(index: number): number | undefined {
  return index < 0 ? undefined : index
}
