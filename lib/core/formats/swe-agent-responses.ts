/**
 * Trajectories of mini-swe-agent's models of the Responses API: an answer stands whole in the list of messages, its
 * items in `output`, and each output of a command is an item.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { Problem } from '../problem'
import type { MessagePiece, PlacedMessage } from './build-conversation'
import { groupPieces } from './group-items'
import { type ListItem, skippedItem } from './message-lists'
import { openItems } from './response-item'
import { isExceptionKept, rawOutputPath } from './swe-agent-messages'
import { wrongType } from './wrong-type'

/** Whether a value is an answer of the Responses API. */
export function isResponse(value: unknown): boolean {
  return isJsonObject(value) && value.object === 'response' && Object.hasOwn(value, 'output')
}

/** Whether a value is an output of a command as an item, with what mini-swe-agent keeps beside it. */
export function isOutputItem(value: unknown): boolean {
  return isJsonObject(value) && value.type === 'function_call_output' && isJsonObject(value.extra)
}

/** Reads a list that holds answers and items. */
export function readSweResponses(items: readonly ListItem[]): {
  placed: PlacedMessage[]
  problems: Problem[]
} {
  const readItem = openItems()
  const problems: Problem[] = []
  const pieces = items.flatMap(itemsIn).flatMap((item): MessagePiece[] => {
    const { source, path, value } = item
    const read = readItem(value)
    if (read === undefined || !isJsonObject(value)) {
      problems.push(skippedItem(item))
      return []
    }
    for (const { path: at, value: wrong, expected } of read.wrong) {
      problems.push(wrongType(source, [...path, ...at], wrong, expected))
    }
    const rawOutput = rawOutputPath(value)
    const results = read.raw.results.map((result) => ({
      ...result,
      isFlaggedError: result.isFlaggedError || isExceptionKept(value),
    }))
    const twins = results.map(({ texts }) =>
      rawOutput === undefined || texts.length === 0
        ? []
        : [{ source, path: [...path, ...rawOutput] }],
    )
    return [{ raw: { ...read.raw, results }, source, path, twins }]
  })
  return { placed: groupPieces(pieces), problems }

  function itemsIn(item: ListItem): ListItem[] {
    const { source, path, value } = item
    if (!isJsonObject(value) || !isResponse(value)) return [item]
    const { output } = value
    if (Array.isArray(output)) {
      return output.map((one: unknown, index) => ({
        source,
        path: [...path, 'output', index],
        value: one,
      }))
    }
    problems.push(wrongType(source, [...path, 'output'], output, 'a list of items'))
    return []
  }
}
