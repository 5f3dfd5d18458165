import type { Problem } from '../problem'
import type { MessagePiece, PlacedMessage } from './build-conversation'
import { type ListItem, skippedItem } from './message-lists'
import { openItems } from './response-item'
import { wrongType } from './wrong-type'

/** Reads items of the Responses API into messages: `pieceOf` gives the piece of each, `problems` what was left alone. */
export function groupItems(items: readonly ListItem[]): {
  placed: PlacedMessage[]
  problems: Problem[]
} {
  const readItem = openItems()
  const problems: Problem[] = []
  const pieces = items.flatMap((item): MessagePiece[] => {
    const read = readItem(item.value)
    if (read === undefined) {
      problems.push(skippedItem(item))
      return []
    }
    const { source, path } = item
    for (const { path: inner, value, expected } of read.wrong) {
      problems.push(wrongType(source, [...path, ...inner], value, expected))
    }
    return [{ raw: read.raw, source, path }]
  })
  return { placed: groupPieces(pieces), problems }
}

/**
 * Items a model wrote that stand together are one message: the pieces of one answer. A client's item, and so every
 * result it sends, ends it.
 */
export function groupPieces(pieces: readonly MessagePiece[]): PlacedMessage[] {
  const placed: [MessagePiece, ...MessagePiece[]][] = []
  for (const piece of pieces) {
    const open = placed.at(-1)
    if (piece.raw.isAssistant && open?.[0].raw.isAssistant) open.push(piece)
    else placed.push([piece])
  }
  return placed
}
