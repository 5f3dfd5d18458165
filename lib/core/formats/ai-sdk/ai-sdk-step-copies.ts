/**
 * Finds copies of results in the steps that `generateText` returns: in their `content` and `toolResults`, and in parts
 * with an `error` where a tool failed. They are not sent to a model.
 */

import type { RawText } from '../../conversation/link-messages'
import { isJsonObject, type JsonPath } from '../../text/json-object'
import type { DuplicateString } from '../reading/build-conversation'
import type { MessageList } from '../reading/message-lists'
import type { SourceDocument, SourceValue } from '../reading/source-document'
import { readRawOutput } from './ai-sdk-result'

/** Removes and returns the copies of a result, by the id of its call and by its texts. */
export type TakeStepCopies = (id: unknown, texts: readonly RawText[]) => readonly DuplicateString[]

/** A part with the id of a call; its output is in the first of the other members that it has. */
interface StepPart {
  readonly toolCallId: string
  readonly output?: unknown
  readonly result?: unknown
  readonly error?: unknown
}

const OUTPUT_KEYS: readonly (keyof StepPart)[] = ['output', 'result', 'error']

interface StepCopy {
  readonly source: SourceValue
  readonly texts: readonly RawText[]
}

/** Finds the copies outside the message lists of a source. */
export function findStepCopies(
  source: SourceDocument,
  lists: readonly MessageList[],
): TakeStepCopies {
  const messages = new Set(lists.flatMap(({ items }) => items.map(({ value }) => value)))
  const copies = new Map<unknown, StepCopy[]>()
  const visit = (from: SourceValue, value: unknown, path: JsonPath): void => {
    if (messages.has(value)) return
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(from, item, [...path, index])
    } else if (isJsonObject(value)) {
      const { toolCallId: id } = value
      const key = OUTPUT_KEYS.find((member) => Object.hasOwn(value, member))
      if (typeof id === 'string' && key !== undefined) {
        const { texts } = readRawOutput(value[key], [...path, key])
        copies.set(id, [...(copies.get(id) ?? []), { source: from, texts }])
      } else {
        for (const [name, member] of Object.entries(value)) visit(from, member, [...path, name])
      }
    }
  }
  for (const from of source.values) visit(from, from.value, [])

  return (id, texts) => {
    const known = copies.get(id) ?? []
    const same = known.filter((copy) => hasSameTexts(copy.texts, texts))
    if (same.length > 0)
      copies.set(
        id,
        known.filter((copy) => !same.includes(copy)),
      )
    return same.flatMap((copy) =>
      copy.texts.map(({ path = [] }, index) => ({
        source: copy.source,
        path,
        ...(index > 0 && { filler: '' }),
      })),
    )
  }
}

function hasSameTexts(texts: readonly RawText[], others: readonly RawText[]): boolean {
  return (
    texts.length > 0 &&
    texts.length === others.length &&
    texts.every(({ text }, index) => text === others[index]?.text)
  )
}
