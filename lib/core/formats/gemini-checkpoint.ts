/**
 * Checkpoints of Gemini CLI, `~/.gemini/tmp/<project>/checkpoints/*.json`: beside `clientHistory`, the contents sent to
 * the model, stands `history`, what was on the screen, with the results as they were shown.
 * https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/utils/checkpointUtils.ts
 */
import { isJsonObject } from '../conversation/chat-message'
import type { RawResult } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'
import type { MessagePiece, PlacedMessage, SourcePlace, TwinPlace } from './build-conversation'
import { displaysOf } from './gemini-displays'
import { indexRepeats, type RepeatIndex, repeatedBy } from './repeated-text'
import type { SourceValue } from './source-document'
import { structuredResult } from './structured-result'

type JsonObject = Readonly<Record<string, unknown>>

interface Shown {
  readonly place: SourcePlace
  readonly tool: JsonObject
}

/** The messages with what `history` beside them, in an object at `path`, shows of their results as twins. */
export function withHistory(
  placed: readonly PlacedMessage[],
  owner: JsonObject | undefined,
  source: SourceValue,
  path: JsonPath,
): readonly PlacedMessage[] {
  const shown = shownIn(owner?.history, source, [...path, 'history'])
  if (shown.length === 0) return placed
  const sent = placed.flatMap((pieces) =>
    pieces.flatMap((piece) => piece.raw.results.map((result) => ({ piece, result }))),
  )
  const byId = new Map<unknown, number>()
  for (const [at, { piece, result }] of sent.entries()) byId.set(idOf(piece, result), at)
  const texts = sent.map(({ result }) => result.texts.map(({ text }) => text))
  const index = indexRepeats(texts.map((said) => said.join('\n')))
  const twins = new Map<RawResult, TwinPlace[]>()
  for (const { tool, place } of shown) {
    const at = byId.get(tool.callId) ?? repeatedIn(tool, index)
    const owning = at === undefined ? undefined : sent[at]?.result
    if (at === undefined || owning === undefined) continue
    const found = displaysOf(tool, place, texts[at] ?? [])
    twins.set(owning, [...(twins.get(owning) ?? []), ...found])
  }
  const withTwins = (piece: MessagePiece): MessagePiece => ({
    ...piece,
    twins: piece.raw.results.map((result) => twins.get(result) ?? []),
  })
  return placed.map(([first, ...more]) => [withTwins(first), ...more.map(withTwins)])
}

function shownIn(history: unknown, source: SourceValue, path: JsonPath): Shown[] {
  if (!Array.isArray(history)) return []
  return history.flatMap((item: unknown, at) => {
    if (!isJsonObject(item) || !Array.isArray(item.tools)) return []
    return item.tools.flatMap((tool: unknown, index): Shown[] =>
      isJsonObject(tool) ? [{ place: { source, path: [...path, at, 'tools', index] }, tool }] : [],
    )
  })
}

/** The id a response bears, which is the screen's; its call may bear none. */
function idOf({ source, path }: MessagePiece, { valuePath = [], callId }: RawResult): unknown {
  let value = source.value
  for (const step of [...path, ...valuePath.slice(0, -1)])
    value = (value as Readonly<Record<string | number, unknown>>)[step]
  return isJsonObject(value) && typeof value.id === 'string' ? value.id : callId
}

/** The result that a display repeats where its id is no response's. */
function repeatedIn(
  { resultDisplay: display }: JsonObject,
  index: RepeatIndex,
): number | undefined {
  for (const { text } of structuredResult(display, []).texts) {
    const at = repeatedBy(text, index)
    if (at !== undefined) return at
  }
  return undefined
}
