/** Where the steps of a .traj repeat what its history holds. */
import { isJsonObject } from '../conversation/chat-message'
import type { JsonPath } from '../text/json-pointer'
import { partitionPoint } from '../text/partition-point'
import type { SourcePlace } from './build-conversation'
import type { SourceValue } from './source-document'

/** A message of the history, as far as steps can repeat it. */
export interface HistoryEntry {
  readonly action: string | undefined
  /** Text of its one result, when that is one text. */
  readonly resultText: string | undefined
}

/** By index of the history, the strings of steps that repeat that message's result. */
export type TwinsOfEntry = ReadonlyMap<number, readonly SourcePlace[]>

/** A list of a step that is itself the history. */
export interface OwnList {
  readonly step: number
  readonly key: 'query' | 'messages'
}

interface Steps {
  readonly source: SourceValue
  readonly path: JsonPath
  readonly steps: readonly unknown[]
  readonly own: OwnList | undefined
}

/**
 * Finds them in `trajectory`: a step's `observation` is that of the action the step shares with the history, and each
 * message of its `query` (before SWE-agent 1.1 `messages`) is the history's when their texts are equal. Elided
 * observations of a query are equal to none, so they stay.
 */
export function twinsInSteps(
  { source, path, steps, own }: Steps,
  history: readonly HistoryEntry[],
): TwinsOfEntry {
  const twins = new Map<number, SourcePlace[]>()
  const add = (entry: number, at: JsonPath): void => {
    const known = twins.get(entry)
    if (known === undefined) twins.set(entry, [{ source, path: at }])
    else known.push({ source, path: at })
  }
  const actions = createSearch(history.map(({ action }) => action))
  const results = createSearch(history.map(({ resultText }) => resultText))
  let next = 0
  for (const [index, step] of steps.entries()) {
    if (!isJsonObject(step)) continue
    const at = [...path, index]
    const acted = typeof step.action === 'string' ? actions(step.action, next) : undefined
    if (acted !== undefined) {
      next = acted + 1
      const isAnswered = history[next]?.resultText !== undefined
      if (isAnswered && isText(step.observation)) add(next, [...at, 'observation'])
    }
    for (const key of ['query', 'messages']) {
      const list = step[key]
      if (!Array.isArray(list) || (own?.step === index && own.key === key)) continue
      let from = 0
      for (const [position, message] of list.entries()) {
        const repeated = textOf(message)
        if (repeated === undefined) continue
        const isInPlace = history[position]?.resultText === repeated.text
        const entry = isInPlace ? position : results(repeated.text, from)
        if (entry === undefined) continue
        from = entry + 1
        add(entry, [...at, key, position, ...repeated.path])
      }
    }
  }
  return twins
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** The text of an observation: a string, or the one part that caching makes of it. */
function textOf(message: unknown): { text: string; path: JsonPath } | undefined {
  if (!isJsonObject(message) || message.role === 'assistant') return undefined
  const { content } = message
  if (isText(content)) return { text: content, path: ['content'] }
  const [part, ...more]: readonly unknown[] = Array.isArray(content) ? content : []
  if (more.length > 0 || !isJsonObject(part) || !isText(part.text)) return undefined
  return { text: part.text, path: ['content', 0, 'text'] }
}

/** Answers where a text stands first at or after an index, without walking the list each time. */
function createSearch(
  texts: readonly (string | undefined)[],
): (text: string, from: number) => number | undefined {
  const indicesOf = new Map<string, number[]>()
  for (const [index, text] of texts.entries()) {
    if (text === undefined) continue
    const indices = indicesOf.get(text)
    if (indices === undefined) indicesOf.set(text, [index])
    else indices.push(index)
  }
  return (text, from) => {
    const indices = indicesOf.get(text) ?? []
    return indices[partitionPoint(0, indices.length, (at) => (indices[at] as number) < from)]
  }
}
