/**
 * Copies of tool output in a Codex rollout that are not sent to a model: in events for the terminal (`event_msg`
 * lines), and in the history that a compaction saves for a reviewer.
 * An event has the id of its call; it belongs to the last call before it with that id. Commands that a script ran
 * (`exec`) and reports of other agents have ids of their own: they are matched to results by their text.
 */

import { addToGroup } from '../../conversation/add-to-group'
import { nonEmptyString } from '../../conversation/link-messages'
import {
  isJsonObject,
  type JsonObject,
  type JsonPath,
  scalarText,
  visitStrings,
  visitValues,
} from '../../text/json-object'
import type { SourcePath } from '../reading/build-conversation'
import { findDuplicatedResult, indexResultTexts } from '../reading/find-repeats'
import type { ListItem } from '../reading/message-lists'

/** Keys of a command's output; `changes` of a patch belong to its call. */
const OUTPUT_KEYS = ['stdout', 'stderr', 'aggregated_output', 'formatted_output'] as const

/** Keys below which every string is output. */
const RESULT_KEYS = ['result', 'content_items', 'error'] as const

/** Keys, by version of the event, below which every string is a report of another agent. */
const REPORT_KEYS = ['statuses', 'agent_statuses', 'agents_states', 'status'] as const

/** Keys of strings that are not output: kinds of values, and data of images and files. */
const IGNORED_KEY = /^(?:type|mimeType|mime_type|data|_meta|annotations)$/

/** Events whose `result` is not the output of a function that the model called. */
const OTHER_EVENT = /^(?:web_search|image_generation|exited_review)/
const AGENT_EVENT = /^collab/i

/** Shorter strings without a call may equal a part of a result by chance. */
const MIN_UNNAMED_CHARS = 12

/** Facts about a result from the events of its call. */
export interface CallEvents {
  /** Strings that repeat the result. */
  readonly duplicates: readonly SourcePath[]
  /** True where an event says that the call failed. */
  readonly isError: boolean
}

/** A string that may repeat a result. */
interface EventText extends SourcePath {
  readonly text: string
  /** Number of results before it in the file. */
  readonly resultsBefore: number
}

/** Collects the events of a rollout by call; receives calls, results and events in the order of the lines. */
export class EventsOfCalls {
  readonly #callCounts = new Map<string, number>()
  readonly #events = new Map<string, { texts: EventText[]; isError: boolean }>()
  readonly #unnamed: EventText[] = []
  #resultCount = 0

  /** Counts a call; the events that follow under its id belong to it. */
  countCall(id: string): void {
    this.#callCounts.set(id, this.callCount(id) + 1)
  }

  /** The number of calls with this id so far. */
  callCount(id: string): number {
    return this.#callCounts.get(id) ?? 0
  }

  countResult(): void {
    this.#resultCount++
  }

  /** Adds an `event_msg` line; most are not about a call and are ignored. */
  addEvent({ source, path }: ListItem, payload: JsonObject): void {
    const { item } = payload
    const isItem = payload.type === 'item_completed' && isJsonObject(item)
    const event = isItem ? item : payload
    const at = [...path, 'payload', ...(isItem ? ['item'] : [])]
    const type = scalarText(event.type)
    const id = nonEmptyString(isItem ? event.id : event.call_id)
    if (AGENT_EVENT.test(type)) this.#addTexts(source, event, at, REPORT_KEYS, this.#unnamed)
    if (id === undefined || OTHER_EVENT.test(type) || AGENT_EVENT.test(type)) return
    const key = callKey(id, this.callCount(id))
    const events = this.#events.get(key) ?? { texts: [], isError: false }
    const outputKeys = OUTPUT_KEYS.filter((name) => typeof event[name] === 'string')
    this.#addTexts(source, event, at, [...outputKeys, ...RESULT_KEYS], events.texts)
    if (hasFailed(event)) events.isError = true
    this.#events.set(key, events)
  }

  /** Adds the outputs in a history that is saved for a reviewer. */
  addHistory({ source }: ListItem, history: unknown, path: JsonPath): void {
    visitValues(history, path, (value, at) => {
      if (at.at(-1) !== 'output' || at.length === path.length) return false
      this.#addTexts(source, { output: value }, at.slice(0, -1), ['output'], this.#unnamed)
      return true
    })
  }

  /** Removes and returns the events of the `count`th call with this id. */
  takeEvents(id: string, count: number): CallEvents | undefined {
    const key = callKey(id, count)
    const events = this.#events.get(key)
    this.#events.delete(key)
    return events && { duplicates: events.texts, isError: events.isError }
  }

  /** Matches strings without a call to the results that they repeat; returns them by index of the result. */
  unnamedDuplicates(
    resultTexts: readonly (string | undefined)[],
  ): ReadonlyMap<number, readonly SourcePath[]> {
    const duplicates = new Map<number, SourcePath[]>()
    const left = [...this.#unnamed, ...[...this.#events.values()].flatMap(({ texts }) => texts)]
    const unnamed = left.filter(({ text }) => text.trim().length >= MIN_UNNAMED_CHARS)
    if (unnamed.length === 0) return duplicates
    const index = indexResultTexts(resultTexts)
    for (const { source, path, text, resultsBefore } of unnamed) {
      const result = findDuplicatedResult(text, index, resultsBefore)
      if (result === undefined) continue
      addToGroup(duplicates, result, { source, path })
    }
    return duplicates
  }

  /** Adds every string below these keys of an event. */
  #addTexts(
    source: ListItem['source'],
    event: JsonObject,
    path: JsonPath,
    keys: readonly string[],
    to: EventText[],
  ): void {
    for (const key of keys) {
      const add = (text: string, at: JsonPath) => {
        if (text !== '') to.push({ source, path: at, text, resultsBefore: this.#resultCount })
      }
      visitStrings(event[key], [...path, key], add, (name) => IGNORED_KEY.test(name))
    }
  }
}

function callKey(id: string, count: number): string {
  return `${count} ${id}`
}

function hasFailed({ status, success, result, exit_code: code }: JsonObject): boolean {
  if (status === 'failed' || status === 'declined' || success === false) return true
  if (typeof code === 'number' && code !== 0) return true
  if (!isJsonObject(result)) return false
  const output = isJsonObject(result.Ok) ? result.Ok : result
  return Object.hasOwn(result, 'Err') || output.isError === true
}
