/**
 * Puts the events of a streamed answer together into the messages of a request, for four APIs:
 * https://platform.openai.com/docs/api-reference/chat-streaming
 * https://platform.openai.com/docs/api-reference/responses-streaming
 * https://docs.claude.com/en/docs/build-with-claude/streaming
 * https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
 * Each message keeps `usage` and `model` under the provider's names. A call whose arguments were cut off keeps what arrived.
 */

import { isJsonObject, itemsOf, type JsonObject, membersOf, parseJson } from '../../text/json'
import type { WordKey } from '../../words/words'
import DELTAS from './response-deltas.json' with { type: 'json' }

export interface AnswerFamily {
  readonly label: string
  /** Member of a request that has the messages. */
  readonly list: 'messages' | 'input' | 'contents'
  readonly owns: (event: JsonObject) => boolean
  /** True if the event is the first of another answer than the event before it. */
  readonly begins: (event: JsonObject, before: JsonObject) => boolean
  /** True if nothing is missing at the end. */
  readonly isComplete: (events: readonly JsonObject[]) => boolean
  /** How a complete answer ends; completes the sentence "ends without …". */
  readonly ending: WordKey
  readonly assemble: (events: readonly JsonObject[]) => JsonObject[]
}

type Building = Record<string, unknown>

const chat: AnswerFamily = {
  label: 'OpenAI chat',
  list: 'messages',
  owns: ({ object, choices }) => object === 'chat.completion.chunk' || Array.isArray(choices),
  begins: ({ id }, before) => before.id !== undefined && before.id !== id,
  isComplete: (events) => choicesOf(events).some(({ finish_reason: reason }) => isGiven(reason)),
  ending: 'finish_reason',
  assemble: (events) => {
    const messages = new Map<unknown, Building>()
    for (const { index = 0, delta, message } of choicesOf(events)) {
      const built = messages.get(index) ?? { role: 'assistant', content: null }
      messages.set(index, built)
      mergeDelta(built, membersOf(delta ?? message))
    }
    return [...messages.values()].map((built) => ({
      ...built,
      ...(Array.isArray(built.tool_calls) && { tool_calls: built.tool_calls.map(withoutIndex) }),
      ...stated(events, ['model', 'usage']),
    }))
  },
}

function choicesOf(events: readonly JsonObject[]): JsonObject[] {
  return events.flatMap(({ choices }) => itemsOf(choices).filter(isJsonObject))
}

function withoutIndex(call: unknown): JsonObject {
  const { index: _, ...members } = membersOf(call)
  return members
}

/** Providers repeat these, whole, in each chunk. */
const REPEATED = new Set(['id', 'type', 'role', 'name', 'index'])

/** Texts are appended, items of lists are merged by their `index`. */
function mergeDelta(built: Building, delta: JsonObject): void {
  for (const [key, value] of Object.entries(delta)) {
    const before = Object.hasOwn(built, key) ? built[key] : undefined
    if (value === null || (REPEATED.has(key) && isGiven(before))) continue
    if (typeof before === 'string' && typeof value === 'string') built[key] = before + value
    else if (Array.isArray(value)) built[key] = mergeItems([...itemsOf(before)], value)
    else if (isJsonObject(value)) {
      const inner = { ...membersOf(before) }
      mergeDelta(inner, value)
      built[key] = inner
    } else built[key] = value
  }
}

function mergeItems(items: unknown[], deltas: readonly unknown[]): unknown[] {
  for (const delta of deltas) {
    const { index, id, function: named } = membersOf(delta)
    const at = items.findLastIndex((item) => {
      const of = membersOf(item)
      if (isGiven(index)) return of.index === index
      // Some providers leave the index of a call out; one with an id of its own is another one.
      return named !== undefined && (!isGiven(id) || of.id === id)
    })
    if (at === -1) items.push(delta)
    else {
      const built = { ...membersOf(items[at]) }
      mergeDelta(built, membersOf(delta))
      items[at] = built
    }
  }
  return items
}

const anthropic: AnswerFamily = {
  label: 'Anthropic Messages',
  list: 'messages',
  owns: ({ type }) => /^(?:message_(?:start|delta|stop)|content_block_\w+)$/.test(String(type)),
  begins: ({ type }) => type === 'message_start',
  isComplete: (events) => events.some(({ type }) => type === 'message_stop'),
  ending: 'event_message_stop',
  assemble: (events) => {
    let message: Building = { role: 'assistant' }
    const blocks = new Map<unknown, Building>()
    for (const event of events) {
      const delta = membersOf(event.delta)
      const usage = { ...membersOf(message.usage), ...membersOf(event.usage) }
      if (event.type === 'message_start') message = { ...message, ...membersOf(event.message) }
      else if (event.type === 'message_delta') message = { ...message, ...delta, usage }
      else if (event.type === 'content_block_start')
        blocks.set(event.index, { ...membersOf(event.content_block) })
      else if (event.type === 'content_block_delta') {
        const block = blocks.get(event.index) ?? { type: 'text' }
        blocks.set(event.index, block)
        const { type: _, citation, ...texts } = delta
        mergeDelta(block, citation === undefined ? texts : { citations: [citation] })
      }
    }
    return [{ ...message, content: [...blocks.values()].map(withInput) }]
  },
}

function withInput({ partial_json: written, ...block }: Building): JsonObject {
  // What was cut off stays a text.
  return typeof written === 'string' && written !== ''
    ? { ...block, input: parseJson(written) ?? written }
    : block
}

/** Members of an item that its deltas append to, by type; with a list, those of a part in it. */
const ITEM_DELTAS = new Map<unknown, { readonly name: string; readonly list?: string }>(
  Object.entries(DELTAS),
)

const responses: AnswerFamily = {
  label: 'OpenAI Responses',
  list: 'input',
  owns: ({ type }) => String(type).startsWith('response.'),
  begins: ({ type }) => type === 'response.created',
  isComplete: (events) => events.some(isEndOfResponse),
  ending: 'event_response_completed',
  assemble: (events) => {
    const end = membersOf(events.findLast(isEndOfResponse)?.response)
    // Some servers leave the items out of the last event.
    const complete = itemsOf(end.output).filter(isJsonObject)
    const items = complete.length > 0 ? complete : itemsOfEvents(events)
    const named = events.map(({ response }) => membersOf(response).model).find(isGiven)
    const { model = named, usage } = end
    const facts = { ...(isGiven(model) && { model }), ...(isGiven(usage) && { usage }) }
    return items.map((item, at) => (at === items.length - 1 ? { ...item, ...facts } : item))
  },
}

function isEndOfResponse({ type }: JsonObject): boolean {
  return /^response\.(?:completed|incomplete|failed)$/.test(String(type))
}

function itemsOfEvents(events: readonly JsonObject[]): JsonObject[] {
  const items = new Map<unknown, Building>()
  for (const event of events) {
    const { type, output_index: at, delta } = event
    if (type === 'response.output_item.added' || type === 'response.output_item.done')
      items.set(at, { ...membersOf(event.item) })
    const item = items.get(at)
    const named = ITEM_DELTAS.get(type)
    if (item === undefined || named === undefined || typeof delta !== 'string') continue
    const { name, list } = named
    if (list === undefined) mergeDelta(item, { [name]: delta })
    else {
      const index = list === 'content' ? event.content_index : event.summary_index
      const text = name === 'refusal' ? { refusal: delta } : { text: delta }
      mergeDelta(item, { [list]: [{ index, type: name, ...text }] })
    }
  }
  return [...items.values()].map((item) => ({
    ...item,
    ...(Array.isArray(item.content) && { content: item.content.map(withoutIndex) }),
    ...(Array.isArray(item.summary) && { summary: item.summary.map(withoutIndex) }),
  }))
}

const gemini: AnswerFamily = {
  label: 'Gemini',
  list: 'contents',
  owns: (event) => Array.isArray(chunkOf(event).candidates),
  begins: (event, before) => {
    const { responseId } = chunkOf(event)
    if (chunkOf(before).responseId !== responseId) return true
    // Without ids, what follows the end of an answer is another one.
    return responseId === undefined && gemini.isComplete([before])
  },
  isComplete: (events) => candidatesOf(events).some(({ finishReason }) => isGiven(finishReason)),
  ending: 'gemini_finish_reason',
  assemble: (events) => {
    const parts: JsonObject[] = []
    for (const { content } of candidatesOf(events)) {
      for (const part of itemsOf(membersOf(content).parts).filter(isJsonObject)) {
        const last = parts.at(-1)
        if (
          last !== undefined &&
          [last, part].every(({ text }) => typeof text === 'string') &&
          last.thought === part.thought
        )
          parts[parts.length - 1] = { ...last, ...part, text: `${last.text}${part.text}` }
        else parts.push(part)
      }
    }
    const facts = stated(events.map(chunkOf), ['modelVersion', 'usageMetadata'])
    return [{ role: 'model', parts, ...facts }]
  },
}

/** Code Assist puts each chunk into a member `response`. */
function chunkOf(event: JsonObject): JsonObject {
  return isJsonObject(event.response) ? event.response : event
}

function candidatesOf(events: readonly JsonObject[]): JsonObject[] {
  return events.flatMap((event) => itemsOf(chunkOf(event).candidates).filter(isJsonObject))
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** The last value of each member that the events state. */
function stated(events: readonly JsonObject[], keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const found = events.findLast((event) => isGiven(event[key]))
      return found === undefined ? [] : [[key, found[key]]]
    }),
  )
}

export const ANSWER_FAMILIES: readonly AnswerFamily[] = [responses, anthropic, gemini, chat]
