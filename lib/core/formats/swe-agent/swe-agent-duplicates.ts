import { addToGroup } from '../../conversation/add-to-group'
import { isJsonObject, itemsOf, type JsonPath } from '../../text/json-object'
import { partitionPoint } from '../../text/span'
import type { SourcePath } from '../reading/build-conversation'
import type { SourceValue } from '../reading/source-document'

/** The parts of a history message that steps can repeat. */
export interface HistoryEntry {
  readonly action: string | undefined
  /** Text of its result; undefined when it has none or several texts. */
  readonly resultText: string | undefined
}

/** By index in the history: strings in steps that repeat the result of that message. */
export type DuplicatesByEntry = ReadonlyMap<number, readonly SourcePath[]>

/** The list of a step that serves as the history. */
export interface StepList {
  readonly step: number
  readonly key: 'query' | 'messages'
}

interface SweSteps {
  readonly source: SourceValue
  readonly path: JsonPath
  readonly steps: readonly unknown[]
  readonly stepList: StepList | undefined
}

/**
 * Finds strings of `trajectory` that repeat results of the history. A step's `observation` belongs to the message after
 * the step's action; a message of its `query` (`messages` before SWE-agent 1.1) to the history message with equal text.
 */
export function findDuplicatesInSteps(
  { source, path, steps, stepList }: SweSteps,
  history: readonly HistoryEntry[],
): DuplicatesByEntry {
  const duplicates = new Map<number, SourcePath[]>()
  const add = (entry: number, at: JsonPath) => addToGroup(duplicates, entry, { source, path: at })
  const findAction = createSearch(history.map(({ action }) => action))
  const findResult = createSearch(history.map(({ resultText }) => resultText))
  let next = 0
  for (const [index, step] of steps.entries()) {
    if (!isJsonObject(step)) continue
    const at = [...path, index]
    const acted = typeof step.action === 'string' ? findAction(step.action, next) : undefined
    if (acted !== undefined) {
      next = acted + 1
      const isAnswered = history[next]?.resultText !== undefined
      if (isAnswered && isFilledText(step.observation)) add(next, [...at, 'observation'])
    }
    for (const key of ['query', 'messages']) {
      const list = step[key]
      if (!Array.isArray(list) || (stepList?.step === index && stepList.key === key)) continue
      let from = 0
      for (const [position, message] of list.entries()) {
        const repeated = observationText(message)
        if (repeated === undefined) continue
        const isSamePosition = history[position]?.resultText === repeated.text
        const entry = isSamePosition ? position : findResult(repeated.text, from)
        if (entry === undefined) continue
        from = entry + 1
        add(entry, [...at, key, position, ...repeated.path])
      }
    }
  }
  return duplicates
}

function isFilledText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** The text of an observation: a string, or the only part of the list that prompt caching makes of it. */
function observationText(message: unknown): { text: string; path: JsonPath } | undefined {
  if (!isJsonObject(message) || message.role === 'assistant') return undefined
  const { content } = message
  if (isFilledText(content)) return { text: content, path: ['content'] }
  const [part, ...more] = itemsOf(content)
  if (more.length > 0 || !isJsonObject(part) || !isFilledText(part.text)) return undefined
  return { text: part.text, path: ['content', 0, 'text'] }
}

/** Returns a search for the first index, at or after `from`, that has a text; it does not scan the list. */
function createSearch(
  texts: readonly (string | undefined)[],
): (text: string, from: number) => number | undefined {
  const indicesOf = new Map<string, number[]>()
  for (const [index, text] of texts.entries()) {
    if (text !== undefined) addToGroup(indicesOf, text, index)
  }
  return (text, from) => {
    const indices = indicesOf.get(text) ?? []
    return indices[partitionPoint(0, indices.length, (at) => (indices[at] as number) < from)]
  }
}
