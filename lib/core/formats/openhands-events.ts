/** What an event of OpenHands is to the conversation with its model: nothing, or a piece of a message. */
import { isJsonObject } from '../conversation/chat-message'
import type { RawMessage, RawText } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'
import { indexRepeats, repeatedBy } from './repeated-text'

export type JsonObject = Readonly<Record<string, unknown>>

export interface EventPiece {
  readonly raw: RawMessage
  /** Events of one answer of the model are one message: what they have in common. */
  readonly answerId?: string | undefined
  /** Strings of the event that repeat its one result. */
  readonly twins?: readonly JsonPath[]
}

/** What was left alone: where it stands in the event, and what was expected there. */
export interface EventFault {
  readonly path: JsonPath
  readonly expected: string
}

export interface EventReading {
  /** Undefined for an event no model is told of, or one that cannot be read. */
  readonly piece: EventPiece | undefined
  readonly faults: readonly EventFault[]
}

export const NO_PIECE: EventReading = { piece: undefined, faults: [] }

/** What describes a call or its surroundings rather than what came of it. */
const NO_OUTPUT = new Set(['metadata', 'command', 'path', 'code', 'url', 'kind', 'content'])

/** Where members of an object repeat a text; what they hold is looked through, `content` and descriptions are not. */
export function twinsIn(value: unknown, path: JsonPath, texts: readonly RawText[]): JsonPath[] {
  const found: JsonPath[] = []
  const said = texts.map(({ text }) => text).filter((text) => text !== '')
  if (said.length === 0 || !isJsonObject(value)) return found
  const result = indexRepeats([said.join('\n')])
  const visit = (inner: unknown, at: JsonPath): void => {
    if (typeof inner === 'string') {
      if (repeatedBy(inner, result) !== undefined) found.push(at)
    } else if (Array.isArray(inner)) {
      for (const [index, item] of inner.entries()) visit(item, [...at, index])
    } else if (isJsonObject(inner)) {
      for (const [key, member] of Object.entries(inner)) {
        if (!NO_OUTPUT.has(key)) visit(member, [...at, key])
      }
    }
  }
  visit(value, path)
  return found
}
