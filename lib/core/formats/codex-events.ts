/**
 * Where a Codex rollout keeps the output of a tool a second time: the events that told the terminal of it. No model is
 * sent them. They name the call; where an id is used again, an event belongs to the call before it. What a script ran
 * (`exec`) and what other agents said bear ids of their own: such strings belong to the result that has them.
 */
import { isJsonObject } from '../conversation/chat-message'
import { usableId } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'
import type { SourcePlace } from './build-conversation'
import type { ListItem } from './message-lists'
import { indexRepeats, repeatedBy } from './repeated-text'

type JsonObject = Readonly<Record<string, unknown>>

/** What the events of one call say of its result. */
export interface CallEvents {
  readonly twins: readonly SourcePlace[]
  /** Whether one of them says that it failed. */
  readonly isError: boolean
}

/** A string that may repeat a result, and how many results stand before it. */
interface ToldText extends SourcePlace {
  readonly text: string
  readonly resultsBefore: number
}

/** Strings of a command's end that are its output; `changes` of a patch are the call's own. */
const OUTPUT_KEYS = ['stdout', 'stderr', 'aggregated_output', 'formatted_output']

/** Keys below which all strings are output: what an MCP or a dynamic tool gave. */
const RESULT_KEYS = ['result', 'content_items', 'error']

/** Keys below which other agents report, to be waited for by a call. */
const REPORT_KEYS = ['statuses', 'agent_statuses', 'agents_states', 'status']

/** Kinds of a value, and of data that is no text. */
const KIND_KEY = /^(?:type|mimeType|mime_type|data|_meta|annotations)$/

/** Events whose `result` is no output of a tool that the model calls by a function. */
const OTHER_EVENT = /^(?:web_search|image_generation|exited_review)/
const AGENT_EVENT = /^collab/i

/** A shorter string that names no call stands where it does for another reason. */
const MIN_UNNAMED = 12

/** Collects the events of a rollout by call, told of each call, result and event in the order of the lines. */
export class EventsOfCalls {
  readonly #times = new Map<string, number>()
  readonly #events = new Map<string, { told: ToldText[]; isError: boolean }>()
  readonly #unnamed: ToldText[] = []
  #results = 0

  /** A call with this id begins: events from here on are of it. */
  begin(id: string): void {
    this.#times.set(id, this.timeOf(id) + 1)
  }

  /** How many calls with this id have begun. */
  timeOf(id: string): number {
    return this.#times.get(id) ?? 0
  }

  /** A result stands here. */
  countResult(): void {
    this.#results++
  }

  /** Notes what an `event_msg` line says of a call; most say nothing of any. */
  note({ source, path, value }: ListItem): void {
    if (!isJsonObject(value) || !isJsonObject(value.payload)) return
    const { payload } = value
    const isItem = payload.type === 'item_completed' && isJsonObject(payload.item)
    const event = isItem ? (payload.item as JsonObject) : payload
    const at = [...path, 'payload', ...(isItem ? ['item'] : [])]
    const type = String(event.type)
    const id = usableId(isItem ? event.id : event.call_id)
    if (AGENT_EVENT.test(type)) this.#noteBelow(source, event, at, REPORT_KEYS, this.#unnamed)
    if (id === undefined || OTHER_EVENT.test(type) || AGENT_EVENT.test(type)) return
    const key = this.#keyOf(id, this.timeOf(id))
    const noted = this.#events.get(key) ?? { told: [], isError: false }
    for (const outputKey of OUTPUT_KEYS) {
      if (typeof event[outputKey] === 'string')
        this.#noteBelow(source, event, at, [outputKey], noted.told)
    }
    this.#noteBelow(source, event, at, RESULT_KEYS, noted.told)
    if (saysFailed(event)) noted.isError = true
    this.#events.set(key, noted)
  }

  /** Notes the outputs that a history repeats which is kept for another model than the one that talks here. */
  noteHistory({ source }: ListItem, history: unknown, path: JsonPath): void {
    const visit = (value: unknown, at: JsonPath): void => {
      if (Array.isArray(value)) {
        for (const [index, item] of value.entries()) visit(item, [...at, index])
      } else if (isJsonObject(value)) {
        for (const [key, member] of Object.entries(value)) {
          if (key === 'output') this.#noteBelow(source, value, at, ['output'], this.#unnamed)
          else visit(member, [...at, key])
        }
      }
    }
    visit(history, path)
  }

  /** What was noted of the call that was the `time`th with this id; asked again, nothing. */
  take(id: string, time: number): CallEvents | undefined {
    const key = this.#keyOf(id, time)
    const events = this.#events.get(key)
    this.#events.delete(key)
    return events && { twins: events.told, isError: events.isError }
  }

  /** By result, the strings that repeat it and that no call was found for; to be asked after all were taken. */
  unnamedTwins(
    resultTexts: readonly (string | undefined)[],
  ): ReadonlyMap<number, readonly SourcePlace[]> {
    const twins = new Map<number, SourcePlace[]>()
    const told = [...this.#unnamed, ...[...this.#events.values()].flatMap((events) => events.told)]
    const unnamed = told.filter(({ text }) => text.trim().length >= MIN_UNNAMED)
    if (unnamed.length === 0) return twins
    const index = indexRepeats(resultTexts)
    for (const { source, path, text, resultsBefore } of unnamed) {
      const owner = repeatedBy(text, index, resultsBefore)
      if (owner === undefined) continue
      const own = twins.get(owner)
      if (own === undefined) twins.set(owner, [{ source, path }])
      else own.push({ source, path })
    }
    return twins
  }

  #noteBelow(
    source: ListItem['source'],
    event: JsonObject,
    at: JsonPath,
    keys: readonly string[],
    to: ToldText[],
  ): void {
    for (const key of keys) {
      visitStrings(event[key], [...at, key], (path, text) =>
        to.push({ source, path, text, resultsBefore: this.#results }),
      )
    }
  }

  #keyOf(id: string, time: number): string {
    return `${time} ${id}`
  }
}

function saysFailed({ status, success, result, exit_code: code }: JsonObject): boolean {
  if (status === 'failed' || status === 'declined' || success === false) return true
  if (typeof code === 'number' && code !== 0) return true
  if (!isJsonObject(result)) return false
  const given = isJsonObject(result.Ok) ? result.Ok : result
  return Object.hasOwn(result, 'Err') || given.isError === true
}

function visitStrings(
  value: unknown,
  path: JsonPath,
  visit: (path: JsonPath, text: string) => void,
): void {
  if (typeof value === 'string') {
    if (value !== '') visit(path, value)
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visitStrings(item, [...path, index], visit)
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (!KIND_KEY.test(key)) visitStrings(member, [...path, key], visit)
    }
  }
}
