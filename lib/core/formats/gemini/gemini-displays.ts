/**
 * Displays of results (`resultDisplay`) in files of Gemini CLI: a text, the lines of a terminal as lists of styled
 * pieces, or an object, such as a changed file with its diff. They are not sent to a model.
 * Checkpoints of Gemini CLI, `~/.gemini/tmp/<project>/checkpoints/*.json`:
 * https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/utils/checkpointUtils.ts
 * `clientHistory` has the contents sent to the model, which `gemini` reads. `history` has the displays on the screen:
 * strings in them that repeat a result are its duplicates.
 */

import { addToGroup } from '../../conversation/add-to-group'
import type { RawResult } from '../../conversation/link-messages'
import {
  isJsonObject,
  itemsOf,
  type JsonObject,
  membersOf,
  valueAtPath,
  visitValues,
} from '../../text/json-object'
import type {
  DuplicateString,
  MessagePiece,
  MessagePieces,
  SourcePath,
} from '../reading/build-conversation'
import {
  findDuplicatedResult,
  indexResultTexts,
  type ResultTextIndex,
} from '../reading/find-repeats'
import type { ListItem, MessageList } from '../reading/message-lists'
import { structuredResult } from '../reading/raw-message'

/** A line of a terminal. */
type TerminalLine = readonly { readonly text: string }[]

/** Keys of names, ids and kinds, which are not output. */
const IGNORED_KEY = /^(?:type|status|kind|fg|bg|fileName|filePath)$|(?:id|Id|ID)$/

/** Labels that the shell tool writes before the first line of an output. */
const COMMAND_LABEL = /^(?:Output|Stdout|Stderr|Error): /gm

/** Finds the strings of a display, at `path`, that repeat these texts of a result. */
export function findDisplayDuplicates(
  display: unknown,
  { source, path }: SourcePath,
  texts: readonly string[],
): DuplicateString[] {
  if (typeof display === 'string' && texts.some((text) => isRepeated(text, display)))
    return [{ source, path }]
  if (texts.length === 0 || display === null || display === undefined) return []
  const duplicates: DuplicateString[] = []
  const text = texts.join('\n')
  const unlabelled = text.replace(COMMAND_LABEL, '')
  // A text of one line may be a placeholder, and must stay one line.
  const index = indexResultTexts([unlabelled === text ? text : `${text}\n${unlabelled}`])
  const isRepeat = (found: string) => findDuplicatedResult(found, index) !== undefined
  visitValues(display, path, (value, at) => {
    if (IGNORED_KEY.test(String(at.at(-1)))) return true
    if (typeof value === 'string' && isRepeat(value)) duplicates.push({ source, path: at })
    if (!isTerminalLine(value)) return false
    // A line is split by colour, so it is compared with its pieces joined.
    if (isRepeat(value.map((piece) => piece.text).join('')))
      duplicates.push(
        ...[...value.keys()].map((piece) => ({
          source,
          path: [...at, piece, 'text'],
          ...(piece > 0 && { filler: '' }),
        })),
      )
    return true
  })
  return duplicates
}

/** True where a display is a part of a text, or contains it and is at most twice as long. */
function isRepeated(text: string, display: string): boolean {
  const [inner, outer] = [display.trim(), text.trim()]
  if (inner === '' || outer === '') return false
  return outer.includes(inner) || (inner.includes(outer) && outer.length * 2 >= inner.length)
}

function isTerminalLine(value: unknown): value is TerminalLine {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((piece) => isJsonObject(piece) && typeof piece.text === 'string')
  )
}

interface FoundDisplay extends SourcePath {
  readonly tool: JsonObject
}

/** Adds displays in the `history` beside a list as duplicates to the results in its messages. */
export function withDisplaysInHistory(
  placed: readonly MessagePieces[],
  { owner, items: [first] }: MessageList,
): readonly MessagePieces[] {
  const displays = owner === undefined || first === undefined ? [] : findDisplays(owner, first)
  if (displays.length === 0) return placed
  const sent = placed.flatMap((pieces) =>
    pieces.flatMap((piece) => piece.raw.results.map((result) => ({ piece, result }))),
  )
  const indexOfId = new Map(
    sent.map(({ piece, result }, index) => [responseId(piece, result), index] as const),
  )
  const resultTexts = indexResultTexts(sent.map(({ result }) => textsOf(result).join('\n')))
  const duplicates = new Map<RawResult, DuplicateString[]>()
  for (const { tool, ...place } of displays) {
    const index = indexOfId.get(tool.callId) ?? findByText(tool, resultTexts)
    const result = index === undefined ? undefined : sent[index]?.result
    if (result === undefined) continue
    const found = findDisplayDuplicates(tool.resultDisplay, place, textsOf(result))
    for (const one of found) addToGroup(duplicates, result, one)
  }
  const withDuplicates = (piece: MessagePiece): MessagePiece => ({
    ...piece,
    duplicates: piece.raw.results.map((result) => duplicates.get(result) ?? []),
  })
  return placed.map(([piece, ...others]) => [withDuplicates(piece), ...others.map(withDuplicates)])
}

function textsOf({ texts }: RawResult): string[] {
  return texts.map(({ text }) => text)
}

function findDisplays({ history }: JsonObject, { source, path }: ListItem): FoundDisplay[] {
  const below = [...path.slice(0, -2), 'history']
  return itemsOf(history).flatMap((item, at) =>
    itemsOf(membersOf(item).tools).flatMap((tool, index): FoundDisplay[] =>
      isJsonObject(tool)
        ? [{ tool, source, path: [...below, at, 'tools', index, 'resultDisplay'] }]
        : [],
    ),
  )
}

/** The id of a response, which the display has too; the call may have been sent without one. */
function responseId(
  { source, path }: MessagePiece,
  { valuePath = [], callId }: RawResult,
): unknown {
  const { id } = membersOf(valueAtPath(source.value, [...path, ...valuePath.slice(0, -1)]))
  return id ?? callId
}

/** Finds the result that a display repeats. */
function findByText(
  { resultDisplay }: JsonObject,
  resultTexts: ResultTextIndex,
): number | undefined {
  for (const { text } of structuredResult(resultDisplay, []).texts) {
    const index = findDuplicatedResult(text, resultTexts)
    if (index !== undefined) return index
  }
  return undefined
}
