/**
 * Requests in attributes of tracers that do not follow the GenAI conventions: the AI SDK
 * (https://ai-sdk.dev/docs/ai-sdk-core/telemetry), Pydantic AI, Traceloop, OpenInference and MLflow. They contain the
 * request as JSON, in the format of the traced library or provider.
 */

import type { ReadConversation } from '../../conversation/conversation'
import type { Problem } from '../../problem'
import { isJsonObject } from '../../text/json-object'
import type { TextSlices } from '../../text/span'
import { readNestedMessages } from '../read-nested-messages'
import type { MessagePieces } from '../reading/build-conversation'
import { nestedSource } from '../reading/source-document'
import { type AttributeValue, pathOfValue, structuredValue } from './opentelemetry-attributes'
import { readListedEvents } from './opentelemetry-events'
import { readMessages } from './opentelemetry-messages'

/** Attributes that only contain requests to a model. */
export const REQUEST_KEYS: readonly string[] = [
  'ai.prompt.messages',
  'pydantic_ai.all_messages',
  'all_messages_events',
]

/** Attributes that contain any input of a span, such as a request. */
const INPUT_KEYS = [
  'events',
  'gen_ai.prompt',
  'traceloop.entity.input',
  'mlflow.spanInputs',
  'input.value',
]

/** Messages to build a conversation from, or a conversation that the reader of another format built. */
export type NestedRequest = { readonly key: string } & (
  | { readonly placed: readonly MessagePieces[]; readonly conversation?: undefined }
  | { readonly placed?: undefined; readonly conversation: ReadConversation }
)

/** Reads the first attribute that contains a request; undefined when none does. `problems` receives what was skipped. */
export function readNestedRequest(
  text: TextSlices,
  attributes: ReadonlyMap<string, AttributeValue>,
  problems: Problem[],
): NestedRequest | undefined {
  for (const key of [...REQUEST_KEYS, ...INPUT_KEYS]) {
    const attribute = attributes.get(key)
    const value = attribute && structuredValue(text, attribute)
    if (attribute === undefined || value === undefined) continue
    const events = readListedEvents(value)
    if (events !== undefined) return { key, placed: events }
    const placed = hasGenAiParts(value.value) ? readMessages(text, attribute, problems) : undefined
    if (placed !== undefined) return { key, placed }
    const nested = nestedSource(text, attribute.source, pathOfValue(attribute))
    const reading = nested && readNestedMessages(text, nested)
    problems.push(...(reading?.problems ?? []))
    const conversation = reading?.conversations[0]
    if (conversation !== undefined) return { key, conversation }
  }
  return undefined
}

/** True for messages in the form of the conventions; parts of Gemini, for example, have no `content`. */
function hasGenAiParts(list: unknown): boolean {
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
