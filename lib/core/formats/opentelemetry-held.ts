/**
 * Requests in the words of tracers that have their own attributes: the AI SDK (https://ai-sdk.dev/docs/ai-sdk-core/telemetry),
 * Pydantic AI, Traceloop, OpenInference and MLflow hold them as JSON, in the format of the library or provider traced.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { ReadConversation } from '../conversation/conversation'
import type { PlacedMessage } from './build-conversation'
import { readHeldMessages } from './held-messages'
import { heldValue } from './held-value'
import type { PlainValue } from './opentelemetry-attributes'
import { structureIn } from './opentelemetry-attributes'
import { readListedEvents } from './opentelemetry-events'
import { readMessages } from './opentelemetry-inputs'

/** Attributes that nothing but a request to a model is written to. */
export const HELD_KEYS: readonly string[] = [
  'ai.prompt.messages',
  'pydantic_ai.all_messages',
  'all_messages_events',
]

/** Attributes of any input, which may be a request. */
const ANY_KEYS = [
  'events',
  'gen_ai.prompt',
  'traceloop.entity.input',
  'mlflow.spanInputs',
  'input.value',
]

export type HeldRequest = { readonly key: string } & (
  | { readonly placed: readonly PlacedMessage[]; readonly conversation?: undefined }
  | { readonly placed?: undefined; readonly conversation: ReadConversation }
)

/** The request that the first of a span's attributes holds which hold one; undefined when none does. */
export function readHeldAttribute(
  text: string,
  { attributes }: { readonly attributes: ReadonlyMap<string, PlainValue> },
): HeldRequest | undefined {
  for (const key of [...HELD_KEYS, ...ANY_KEYS]) {
    const attribute = attributes.get(key)
    const held = attribute && structureIn(text, attribute)
    if (attribute === undefined || held === undefined) continue
    const events = readListedEvents(held)
    if (events !== undefined) return { key, placed: events }
    if (isListOfParts(held.value)) {
      const placed = readMessages(text, attribute, [])
      if (placed !== undefined) return { key, placed }
    }
    const value = heldValue(text, attribute.source, [...attribute.path, ...attribute.write([])])
    const [conversation] = (value && readHeldMessages(text, value)?.conversations) ?? []
    if (conversation !== undefined) return { key, conversation }
  }
  return undefined
}

/** Messages in the words of the conventions: parts with a `content`. */
function isListOfParts(list: unknown): boolean {
  return (
    Array.isArray(list) &&
    list.some(
      (message) =>
        isJsonObject(message) &&
        Array.isArray(message.parts) &&
        message.parts.some((part) => isJsonObject(part) && 'content' in part),
    )
  )
}
