import type { RawMessage, RawText } from '../../conversation/link-messages'
import { isJsonObject, type JsonPath, visitStrings } from '../../text/json-object'
import { findDuplicatedResult, indexResultTexts } from '../reading/find-repeats'

/** The message, or the part of one, that an event adds to the conversation with the model. */
export interface EventMessage {
  readonly raw: RawMessage
  /** Id of the model's answer; events with the same id are one message. */
  readonly answerId?: string | undefined
  /** Strings of the event that repeat its only result. */
  readonly duplicates?: readonly JsonPath[]
}

/** An answer as LiteLLM returns it: a chat completion. */
export interface ModelResponse {
  readonly id: string
  readonly model: string
  readonly choices: readonly { readonly message: object }[]
}

/** Members that describe the call, or are the result itself. */
const NOT_SEARCHED = new Set(['metadata', 'command', 'path', 'code', 'url', 'kind', 'content'])

/** Finds strings in the members of an object that repeat a result. */
export function findDuplicates(
  value: unknown,
  path: JsonPath,
  texts: readonly RawText[],
): JsonPath[] {
  const found: JsonPath[] = []
  const filled = texts.map(({ text }) => text).filter((text) => text !== '')
  if (filled.length === 0 || !isJsonObject(value)) return found
  const index = indexResultTexts([filled.join('\n')])
  const note = (text: string, at: JsonPath) => {
    if (findDuplicatedResult(text, index) !== undefined) found.push(at)
  }
  visitStrings(value, path, note, (key) => NOT_SEARCHED.has(key))
  return found
}
