/**
 * What `generateText` gives, written down whole, holds each result again beside its messages: in the `content` and
 * `toolResults` of its steps, what failed in parts with an `error`. Those copies are sent to no model, and are twins of
 * the results in messages.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { RawText } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'
import { readRawOutput } from './ai-sdk-result'
import type { TwinPlace } from './build-conversation'
import type { MessageList } from './message-lists'
import type { SourceDocument, SourceValue } from './source-document'

/** Takes the copies of a result that no other result has taken. */
export type TakeRepeats = (id: unknown, texts: readonly RawText[]) => readonly TwinPlace[]

interface Copy {
  readonly source: SourceValue
  readonly texts: readonly RawText[]
}

/** Finds the copies that stand outside the message lists of a source. */
export function findRepeats(source: SourceDocument, lists: readonly MessageList[]): TakeRepeats {
  const messages = new Set(lists.flatMap(({ items }) => items.map(({ value }) => value)))
  const copies = new Map<unknown, Copy[]>()
  const add = (from: SourceValue, id: string, texts: readonly RawText[]): void => {
    const known = copies.get(id)
    if (known === undefined) copies.set(id, [{ source: from, texts }])
    else known.push({ source: from, texts })
  }
  const visit = (from: SourceValue, value: unknown, path: JsonPath): void => {
    if (messages.has(value)) return
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(from, item, [...path, index])
    } else if (isJsonObject(value)) {
      const key = ['output', 'result', 'error'].find((member) => Object.hasOwn(value, member))
      if (typeof value.toolCallId === 'string' && key !== undefined)
        add(from, value.toolCallId, readRawOutput(value[key], [...path, key]).texts)
      else for (const [name, member] of Object.entries(value)) visit(from, member, [...path, name])
    }
  }
  for (const from of source.values) visit(from, from.value, [])

  return (id, texts) => {
    const known = copies.get(id) ?? []
    const same = known.filter((copy) => isSame(copy.texts, texts))
    if (same.length > 0) {
      copies.set(
        id,
        known.filter((copy) => !same.includes(copy)),
      )
    }
    return same.flatMap((copy) =>
      copy.texts.map(({ path = [] }, at) => ({
        source: copy.source,
        path,
        ...(at > 0 && { filler: '' }),
      })),
    )
  }
}

function isSame(texts: readonly RawText[], others: readonly RawText[]): boolean {
  return (
    texts.length > 0 &&
    texts.length === others.length &&
    texts.every(({ text }, index) => text === others[index]?.text)
  )
}
