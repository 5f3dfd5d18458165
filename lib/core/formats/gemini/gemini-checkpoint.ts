/**
 * Checkpoints of Gemini CLI, `~/.gemini/tmp/<project>/checkpoints/*.json`:
 * https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/utils/checkpointUtils.ts
 * `clientHistory` has the contents sent to the model, which `gemini` reads. `history` has the displays on the screen:
 * strings in them that repeat a result are its duplicates.
 */

import type { RawResult } from '../../conversation/link-messages'
import { isJsonObject, membersOf, type Unchecked, valueAtPath } from '../../text/json-object'
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
import { findDisplayDuplicates } from './gemini-displays'

interface Checkpoint {
  readonly clientHistory: readonly object[]
  readonly history: readonly { readonly tools?: readonly ToolDisplay[] }[]
}

/** A call as the screen showed it. */
interface ToolDisplay {
  readonly callId: string
  readonly resultDisplay?: unknown
}

interface FoundDisplay extends SourcePath {
  readonly tool: Unchecked<ToolDisplay>
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
    duplicates.set(result, [...(duplicates.get(result) ?? []), ...found])
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

function findDisplays(
  { history }: Unchecked<Checkpoint>,
  { source, path }: ListItem,
): FoundDisplay[] {
  if (!Array.isArray(history)) return []
  const below = [...path.slice(0, -2), 'history']
  return history.flatMap((item: unknown, at) => {
    if (!isJsonObject(item) || !Array.isArray(item.tools)) return []
    return item.tools.flatMap((tool: unknown, index): FoundDisplay[] =>
      isJsonObject(tool)
        ? [{ tool, source, path: [...below, at, 'tools', index, 'resultDisplay'] }]
        : [],
    )
  })
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
  { resultDisplay }: Unchecked<ToolDisplay>,
  resultTexts: ResultTextIndex,
): number | undefined {
  for (const { text } of structuredResult(resultDisplay, []).texts) {
    const index = findDuplicatedResult(text, resultTexts)
    if (index !== undefined) return index
  }
  return undefined
}
