/**
 * Messages as events, one each, as earlier versions of the GenAI conventions had them:
 * https://github.com/open-telemetry/semantic-conventions/blob/v1.36.0/docs/gen-ai/gen-ai-events.md
 * Requests in attributes of tracers that do not follow the GenAI conventions: the AI SDK
 * (https://ai-sdk.dev/docs/ai-sdk-core/telemetry), Pydantic AI, Traceloop, OpenInference and MLflow. They contain the
 * request as JSON, in the format of the traced library or provider.
 */
import { readChatMessage } from '../../conversation/chat-message'
import type { ReadConversation } from '../../conversation/conversation'
import type { RawMessage } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf, scalarText } from '../../text/json'
import type { JsonPath } from '../../text/json-path'
import { readNestedMessages } from '../read-nested-messages'
import type { MessagePieces } from '../reading/conversation'
import { mapPaths } from '../reading/raw-message'
import { nestedSource, type SourceValue } from '../reading/source-document'
import NAMES from './names.json' with { type: 'json' }
import { type AttributeValue, attributesOf, readMessages } from './opentelemetry-attributes'

const EVENT_NAME = /^gen_ai\.(system|user|assistant|tool)\.message$/

/** Reads the events of a span that are messages. */
export function readEvents(source: SourceValue, path: JsonPath, events: unknown): MessagePieces[] {
  return itemsOf(events).flatMap((event, index): MessagePieces[] => {
    const { name, ...owner } = membersOf(event)
    const role = roleOf(name)
    return role === undefined ? [] : readEvent(source, [...path, 'events', index], owner, role)
  })
}

function readEvent(
  source: SourceValue,
  path: JsonPath,
  owner: JsonObject,
  role: string,
): MessagePieces[] {
  const attributes = attributesOf(source, path, owner)
  const content = attributes.get('gen_ai.event.content')
  const body = content?.structured()
  if (body !== undefined) {
    return [body.place(readBody(role, membersOf(body.value)), [])]
  }
  const members = Object.fromEntries([...attributes].map(([key, { value }]) => [key, value]))
  const calls =
    typeof members.tool_calls === 'string' ? attributes.get('tool_calls')?.structured() : undefined
  const raw = readBody(
    role,
    calls === undefined ? members : { ...members, tool_calls: calls.value },
  )
  const written = mapPaths(raw, ([key, ...rest]) => {
    const attribute = attributes.get(String(key)) as AttributeValue
    // A path begins with the key of an attribute that was read.
    return [...attribute.path.slice(path.length), ...attribute.writtenPath(rest)]
  })
  if (calls === undefined) return [[{ raw: written, source, path }]]
  // Calls in a string have paths of their own, so they are a second piece of the message.
  const onlyCalls = { ...raw, contents: [], reasoning: [], nonTextParts: 0, results: [] }
  const callPiece = { source: calls.source, path: calls.path }
  return [
    [
      { raw: { ...written, calls: [] }, source, path },
      { raw: mapPaths(onlyCalls, ([, ...rest]) => rest), ...callPiece },
    ],
  ]
}

/** Reads a list of events in one attribute, as Pydantic AI writes them; undefined when it is not such a list. */
export function readListedEvents(attribute: AttributeValue): MessagePieces[] | undefined {
  const placed = itemsOf(attribute.value).flatMap((event, index): MessagePieces[] => {
    const body = membersOf(event)
    const role = roleOf(body['event.name'])
    return role === undefined ? [] : [attribute.place(readBody(role, body), [index])]
  })
  return placed.length === 0 ? undefined : placed
}

function roleOf(name: unknown): string | undefined {
  return EVENT_NAME.exec(scalarText(name))?.[1]
}

/** Reads a chat completions message without its role; `id` is that of the call that a result answers. */
function readBody(
  role: string,
  { content, tool_calls, id, tool_call_id: callId }: JsonObject,
): RawMessage {
  return readChatMessage({ role, content, tool_calls, tool_call_id: id ?? callId }) as RawMessage
}

/**
 * Reads the first attribute that contains a request alone, or any input of a span, by the reader of its format, or by `build` of its messages; undefined when
 * none does. `problems` receives what was skipped.
 */
export function readNestedRequest(
  attributes: ReadonlyMap<string, AttributeValue>,
  problems: Problem[],
  build: (placed: readonly MessagePieces[]) => ReadConversation,
): ReadConversation | undefined {
  for (const key of [...NAMES.request, ...NAMES.input]) {
    const attribute = attributes.get(key)
    const value = attribute?.structured()
    if (attribute === undefined || value === undefined) continue
    const events = readListedEvents(value)
    if (events !== undefined) return build(events)
    const placed = hasGenAiParts(value.value) ? readMessages(attribute, problems) : undefined
    if (placed !== undefined) return build(placed)
    const nested = nestedSource(attribute.source, attribute.pathOf())
    const reading = nested && readNestedMessages(nested)
    problems.push(...(reading?.problems ?? []))
    const conversation = reading?.conversations[0]
    if (conversation !== undefined) return conversation
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
