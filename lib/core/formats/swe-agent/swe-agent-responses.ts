/**
 * Reads trajectories that mini-swe-agent recorded with the Responses API. The list of messages contains each answer as
 * an object, with its items in `output`, and each output of a command as an item.
 */

import type { Problem } from '../../problem'
import { isJsonObject, type Unchecked } from '../../text/json-object'
import { createItemReader } from '../openai/response-item'
import {
  joinAnswerPieces,
  type MessagePiece,
  type MessagePieces,
} from '../reading/build-conversation'
import { type ListItem, skippedMessageProblem } from '../reading/message-lists'
import { reportWrongTypesTo, wrongTypeProblem } from '../reading/wrong-type-problem'
import { hasException, pathOfRawOutput } from './swe-agent-messages'

interface RawResponse {
  readonly object: 'response'
  readonly output: readonly object[]
}

export function isResponse(value: unknown): value is Unchecked<RawResponse> {
  return isJsonObject(value) && value.object === 'response' && Object.hasOwn(value, 'output')
}

/** True for the output of a command with data of mini-swe-agent. */
export function isOutputItem(value: unknown): boolean {
  return isJsonObject(value) && value.type === 'function_call_output' && isJsonObject(value.extra)
}

/** Reads a list of answers, items and messages. */
export function readSweResponses(items: readonly ListItem[]): {
  placed: MessagePieces[]
  problems: Problem[]
} {
  const readItem = createItemReader()
  const problems: Problem[] = []
  const pieces = items.flatMap(itemsIn).flatMap((item): MessagePiece[] => {
    const { source, path, value } = item
    const raw = readItem(value, reportWrongTypesTo(problems, source, path))
    if (raw === undefined || !isJsonObject(value)) {
      problems.push(skippedMessageProblem(item))
      return []
    }
    const rawOutput = pathOfRawOutput(value)
    const results = raw.results.map((result) => ({
      ...result,
      isFlaggedError: result.isFlaggedError || hasException(value),
    }))
    const duplicates = results.map(({ texts }) =>
      rawOutput === undefined || texts.length === 0
        ? []
        : [{ source, path: [...path, ...rawOutput] }],
    )
    return [{ raw: { ...raw, results }, source, path, duplicates }]
  })
  return { placed: joinAnswerPieces(pieces), problems }

  function itemsIn(item: ListItem): ListItem[] {
    const { source, path, value } = item
    if (!isResponse(value)) return [item]
    const { output } = value
    if (Array.isArray(output)) {
      return output.map((one: unknown, index) => ({
        source,
        path: [...path, 'output', index],
        value: one,
      }))
    }
    problems.push(wrongTypeProblem(source, [...path, 'output'], output, 'list_of_items'))
    return []
  }
}
