/**
 * Where a Codex rollout keeps the output of a tool a second time: the events that told the terminal of it. No model is
 * sent them. They name the call; where an id is used again, an event belongs to the call before it.
 */
import { isJsonObject } from '../conversation/chat-message'
import { usableId } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'
import type { SourcePlace } from './build-conversation'
import type { ListItem } from './message-lists'

type JsonObject = Readonly<Record<string, unknown>>

/** What the events of one call say of its result. */
export interface CallEvents {
  readonly twins: readonly SourcePlace[]
  /** Whether one of them says that it failed. */
  readonly isError: boolean
}

/** Strings of a command's end that are its output; `changes` of a patch are the call's own. */
const OUTPUT_KEYS = ['stdout', 'stderr', 'aggregated_output', 'formatted_output']

/** Keys below which all strings are output: what an MCP or a dynamic tool gave. */
const RESULT_KEYS = ['result', 'content_items', 'error']

/** Kinds of a value, and of data that is no text. */
const KIND_KEY = /^(?:type|mimeType|mime_type|data|_meta|annotations)$/

/** Events whose `result` is no output of a tool that the model calls by a function. */
const OTHER_EVENT = /^(?:web_search|image_generation|collab|exited_review)/

/** Collects the events of a rollout by call, told of each call and event in the order of the lines. */
export class EventsOfCalls {
  readonly #times = new Map<string, number>()
  readonly #events = new Map<string, { twins: SourcePlace[]; isError: boolean }>()

  /** A call with this id begins: events from here on are of it. */
  begin(id: string): void {
    this.#times.set(id, this.timeOf(id) + 1)
  }

  /** How many calls with this id have begun. */
  timeOf(id: string): number {
    return this.#times.get(id) ?? 0
  }

  /** Notes what an `event_msg` line says of a call; most say nothing of any. */
  note({ source, path, value }: ListItem): void {
    if (!isJsonObject(value) || !isJsonObject(value.payload)) return
    const { payload } = value
    const isItem = payload.type === 'item_completed' && isJsonObject(payload.item)
    const event = isItem ? (payload.item as JsonObject) : payload
    const at = [...path, 'payload', ...(isItem ? ['item'] : [])]
    const id = usableId(isItem ? event.id : event.call_id)
    if (id === undefined || OTHER_EVENT.test(String(event.type))) return
    const noted = this.#events.get(this.#keyOf(id, this.timeOf(id))) ?? {
      twins: [],
      isError: false,
    }
    for (const key of OUTPUT_KEYS) {
      const text = event[key]
      if (typeof text === 'string' && text !== '') noted.twins.push({ source, path: [...at, key] })
    }
    for (const key of RESULT_KEYS) {
      visitStrings(event[key], [...at, key], (inner) => noted.twins.push({ source, path: inner }))
    }
    if (saysFailed(event)) noted.isError = true
    this.#events.set(this.#keyOf(id, this.timeOf(id)), noted)
  }

  /** What was noted of the call that was the `time`th with this id; asked again, nothing. */
  take(id: string, time: number): CallEvents | undefined {
    const events = this.#events.get(this.#keyOf(id, time))
    this.#events.delete(this.#keyOf(id, time))
    return events
  }

  #keyOf(id: string, time: number): string {
    return `${time} ${id}`
  }
}

function saysFailed({ status, success, result }: JsonObject): boolean {
  if (status === 'failed' || status === 'declined' || success === false) return true
  if (!isJsonObject(result)) return false
  const given = isJsonObject(result.Ok) ? result.Ok : result
  return Object.hasOwn(result, 'Err') || given.isError === true
}

function visitStrings(value: unknown, path: JsonPath, visit: (path: JsonPath) => void): void {
  if (typeof value === 'string') {
    if (value !== '') visit(path)
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visitStrings(item, [...path, index], visit)
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (!KIND_KEY.test(key)) visitStrings(member, [...path, key], visit)
    }
  }
}
