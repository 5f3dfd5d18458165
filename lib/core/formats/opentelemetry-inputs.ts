/** What a span says of its request in attributes of the conventions: messages, and instructions of the system. */
import { isJsonObject } from '../conversation/chat-message'
import type { RawMessage } from '../conversation/link-messages'
import type { Problem } from '../problem'
import type { JsonPath } from '../text/json-pointer'
import type { PlacedMessage } from './build-conversation'
import { skippedItem } from './message-lists'
import { type PlainValue, structureIn } from './opentelemetry-attributes'
import { readGenAiMessage, readParts } from './opentelemetry-messages'
import { withPaths } from './raw-message'
import { wrongType } from './wrong-type'

/** Where a value of an attribute stands, for a problem. */
function wrongAttribute({ source, path, write, value }: PlainValue, expected: string): Problem {
  return wrongType(source, [...path, ...write([])], value, expected)
}

/** The messages of a request, written in one attribute; a problem and undefined where it is no list. */
export function readMessages(
  text: string,
  input: PlainValue,
  problems: Problem[],
): PlacedMessage[] | undefined {
  const held = structureIn(text, input)
  if (held === undefined || !Array.isArray(held.value)) {
    problems.push(wrongAttribute(input, 'a list of messages, as JSON'))
    return undefined
  }
  return held.value.flatMap((message: unknown, index): PlacedMessage[] => {
    const raw = readGenAiMessage(message)
    const path = [...held.path, ...held.write([index])]
    if (raw === undefined) {
      problems.push(skippedItem({ source: held.source, path, value: message }))
      return []
    }
    const parts = isJsonObject(message) ? message.parts : undefined
    if (parts !== undefined && !Array.isArray(parts)) {
      const partsAt = [...held.path, ...held.write([index, 'parts'])]
      problems.push(wrongType(held.source, partsAt, parts, 'a list of parts'))
    }
    return [placeMember(raw, held, [index])]
  })
}

/** A message read from a member of a value; its paths are those of the source. */
export function placeMember(raw: RawMessage, held: PlainValue, at: JsonPath): PlacedMessage {
  const own = held.write(at)
  const written = withPaths(raw, (path) => held.write([...at, ...path]).slice(own.length))
  return [{ raw: written, source: held.source, path: [...held.path, ...own] }]
}

/** The system's instructions as the first message; none where there is no such attribute. */
export function readInstructions(
  text: string,
  attribute: PlainValue | undefined,
  problems: Problem[],
): PlacedMessage[] {
  if (attribute === undefined) return []
  const held = structureIn(text, attribute)
  if (held !== undefined && Array.isArray(held.value)) {
    return [placeMember(readParts('system', held.value, []), held, [])]
  }
  problems.push(wrongAttribute(attribute, 'a list of parts, as JSON'))
  return []
}
