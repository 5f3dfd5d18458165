/**
 * Messages as events, one each, as earlier versions of the GenAI conventions had them:
 * https://github.com/open-telemetry/semantic-conventions/blob/v1.36.0/docs/gen-ai/gen-ai-events.md
 */

import { readChatMessage } from '../../conversation/chat-message'
import type { RawMessage } from '../../conversation/link-messages'
import {
  itemsOf,
  type JsonPath,
  membersOf,
  scalarText,
  type Unchecked,
} from '../../text/json-object'
import type { TextSlices } from '../../text/span'
import type { MessagePieces } from '../reading/build-conversation'
import { mapPaths } from '../reading/raw-message'
import type { SourceValue } from '../reading/source-document'
import {
  type AttributeOwner,
  type AttributeValue,
  attributesOf,
  structuredValue,
} from './opentelemetry-attributes'
import { placeMessage } from './opentelemetry-messages'

/** An event of a span. Its attributes are an `EventBody`, or contain one as JSON in `gen_ai.event.content`. */
export interface SpanEvent extends AttributeOwner {
  readonly name: string
}

/** A chat completions message without its role. */
interface EventBody {
  readonly content?: unknown
  /** Calls; some instrumentations write them as JSON in a string. */
  readonly tool_calls?: unknown
  /** Id of the call that a result answers. */
  readonly id?: string
  readonly tool_call_id?: string
  /** In lists of events: the name of the event. */
  readonly 'event.name'?: string
}

const EVENT_NAME = /^gen_ai\.(system|user|assistant|tool)\.message$/

/** Reads the events of a span that are messages. */
export function readEvents(
  text: TextSlices,
  source: SourceValue,
  path: JsonPath,
  events: unknown,
): MessagePieces[] {
  return itemsOf(events).flatMap((event, index): MessagePieces[] => {
    const { name, ...owner }: Unchecked<SpanEvent> = membersOf(event)
    const role = roleOf(name)
    return role === undefined
      ? []
      : readEvent(text, source, [...path, 'events', index], owner, role)
  })
}

function readEvent(
  text: TextSlices,
  source: SourceValue,
  path: JsonPath,
  owner: Unchecked<AttributeOwner>,
  role: string,
): MessagePieces[] {
  const attributes = attributesOf(source, path, owner)
  const content = attributes.get('gen_ai.event.content')
  const body = content && structuredValue(text, content)
  if (body !== undefined) {
    return [placeMessage(readBody(role, membersOf(body.value)), body, [])]
  }
  const members: Unchecked<EventBody> = Object.fromEntries(
    [...attributes].map(([key, { value }]) => [key, value]),
  )
  const callsAttribute = attributes.get('tool_calls')
  const calls =
    typeof members.tool_calls === 'string' && callsAttribute !== undefined
      ? structuredValue(text, callsAttribute)
      : undefined
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
    const body: Unchecked<EventBody> = membersOf(event)
    const role = roleOf(body['event.name'])
    return role === undefined ? [] : [placeMessage(readBody(role, body), attribute, [index])]
  })
  return placed.length === 0 ? undefined : placed
}

function roleOf(name: unknown): string | undefined {
  return EVENT_NAME.exec(scalarText(name))?.[1]
}

function readBody(
  role: string,
  { content, tool_calls, id, tool_call_id: callId }: Unchecked<EventBody>,
): RawMessage {
  return readChatMessage({
    role,
    content,
    tool_calls,
    tool_call_id: id ?? callId,
  }) as RawMessage
}
