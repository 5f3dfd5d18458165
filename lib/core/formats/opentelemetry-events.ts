/** Messages as events of a span, one each, as the conventions had them first. */
import { isJsonObject, readChatMessage } from '../conversation/chat-message'
import type { RawMessage } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'
import type { PlacedMessage } from './build-conversation'
import { attributesOf, type PlainValue, structureIn } from './opentelemetry-attributes'
import { placeMember } from './opentelemetry-inputs'
import { withPaths } from './raw-message'
import type { SourceValue } from './source-document'

type JsonObject = Readonly<Record<string, unknown>>

const EVENT = /^gen_ai\.(system|user|assistant|tool)\.message$/

/** A span's events; what one says is JSON in `gen_ai.event.content`, or its attributes. */
export function readEvents(
  text: string,
  { source, path, value }: { source: SourceValue; path: JsonPath; value: JsonObject },
): PlacedMessage[] {
  const events: readonly unknown[] = Array.isArray(value.events) ? value.events : []
  return events.flatMap((event, index): PlacedMessage[] => {
    const role = isJsonObject(event) ? roleOf(event.name) : undefined
    if (!isJsonObject(event) || role === undefined) return []
    const eventAt = [...path, 'events', index]
    const attributes = attributesOf(source, eventAt, event)
    const content = attributes.get('gen_ai.event.content')
    const held = content && structureIn(text, content)
    if (held !== undefined) {
      const raw = readEvent(role, isJsonObject(held.value) ? held.value : {})
      return raw === undefined ? [] : [placeMember(raw, held, [])]
    }
    const said = Object.fromEntries([...attributes].map(([key, one]) => [key, one.value]))
    const calls = attributes.get('tool_calls')
    const heldCalls =
      typeof said.tool_calls === 'string' ? calls && structureIn(text, calls) : undefined
    const raw = readEvent(
      role,
      heldCalls === undefined ? said : { ...said, tool_calls: heldCalls.value },
    )
    if (raw === undefined) return []
    const write = ([key, ...rest]: JsonPath): JsonPath => {
      const attribute = attributes.get(String(key))
      if (attribute === undefined) return []
      return [...attribute.path.slice(eventAt.length), ...attribute.write(rest)]
    }
    const place = { source, path: eventAt }
    const written = withPaths(raw, write)
    if (heldCalls === undefined) return [[{ raw: written, ...place }]]
    const { source: from, path: at } = heldCalls
    const answer = { ...raw, contents: [], reasoning: [], nonTextParts: 0, results: [] }
    const ofCalls = withPaths(answer, ([, ...rest]) => rest)
    return [
      [
        { raw: { ...written, calls: [] }, ...place },
        { raw: ofCalls, source: from, path: at },
      ],
    ]
  })
}

/** Events written down as a list in one attribute, each with its name or role among what it says. */
export function readListedEvents(held: PlainValue): PlacedMessage[] | undefined {
  const list: readonly unknown[] = Array.isArray(held.value) ? held.value : []
  const placed = list.flatMap((event, index): PlacedMessage[] => {
    const role = isJsonObject(event) ? roleOf(event['event.name']) : undefined
    const raw = role === undefined ? undefined : readEvent(role, event as JsonObject)
    return raw === undefined ? [] : [placeMember(raw, held, [index])]
  })
  return placed.length === 0 ? undefined : placed
}

function roleOf(name: unknown): string | undefined {
  return EVENT.exec(String(name))?.[1]
}

function readEvent(
  role: string,
  { content, tool_calls, id, ...rest }: JsonObject,
): RawMessage | undefined {
  return readChatMessage({ role, content, tool_calls, tool_call_id: id ?? rest.tool_call_id })
}
