import type { Problem } from '../../problem'
import type { MessagePiece, MessagePieces } from '../reading/build-conversation'
import { type ListItem, skippedMessageProblem } from '../reading/message-lists'
import { reportWrongTypesTo } from '../reading/wrong-type-problem'
import { createItemReader } from './response-item'

/** Reads items of the Responses API into messages; `problems` lists the values that were skipped. */
export function readResponseItems(items: readonly ListItem[]): {
  messages: MessagePieces[]
  problems: Problem[]
} {
  const readItem = createItemReader()
  const problems: Problem[] = []
  const pieces = items.flatMap((item): MessagePiece[] => {
    const { source, path, value } = item
    const raw = readItem(value, reportWrongTypesTo(problems, source, path))
    if (raw !== undefined) return [{ raw, source, path }]
    problems.push(skippedMessageProblem(item))
    return []
  })
  return { messages: joinAnswerPieces(pieces), problems }
}

/** Joins consecutive pieces of the model into one message; any other piece, such as a result, ends the answer. */
export function joinAnswerPieces(pieces: readonly MessagePiece[]): MessagePieces[] {
  const messages: [MessagePiece, ...MessagePiece[]][] = []
  for (const piece of pieces) {
    const answer = messages.at(-1)
    if (piece.raw.isAssistant && answer?.[0].raw.isAssistant) answer.push(piece)
    else messages.push([piece])
  }
  return messages
}
