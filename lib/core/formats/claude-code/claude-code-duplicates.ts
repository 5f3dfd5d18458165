/**
 * Finds where a Claude Code session repeats the output of a tool: `toolUseResult` (`tool_use_result` in a stream) and
 * `mcpMeta` on the line of the result, and `data` of the call's `progress` lines. No model receives any of them.
 */

import type { RawResult } from '../../conversation/link-messages'
import { isJsonObject, scalarText, visitStrings } from '../../text/json-object'
import type { SourcePath } from '../reading/build-conversation'
import { findDuplicatedResult, indexResultTexts } from '../reading/find-repeats'
import type { TypedLine } from './claude-code-lines'

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
    if (typeof id !== 'string') continue
    const progress = byCall.get(id)
    if (progress === undefined) byCall.set(id, [line])
    else progress.push(line)
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
