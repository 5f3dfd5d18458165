/**
 * The lines of a session of Gemini CLI: a message is appended again when it grows, `$rewindTo` takes messages back,
 * `$set.messages` replaces them all.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { ListItem } from './message-lists'
import type { SourceValue } from './source-document'

type JsonObject = Readonly<Record<string, unknown>>

/** A message as it stands last, and where it stood before. */
export interface Recorded {
  readonly item: ListItem
  readonly earlier: readonly ListItem[]
}

export interface RecordedLines {
  /** The messages that the lines leave, as Gemini CLI itself loads them. */
  readonly last: readonly Recorded[]
  /** Those that a line took back or replaced for good: they were sent once, and still stand in the file. */
  readonly takenBack: readonly { readonly line: number; readonly messages: readonly Recorded[] }[]
}

/** What the first line of a session has. */
export function isHead(value: unknown): value is JsonObject {
  return (
    isJsonObject(value) &&
    typeof value.sessionId === 'string' &&
    typeof value.projectHash === 'string'
  )
}

/** Sorts the lines of a session, a message once; ids that come again after they were taken back are none taken back. */
export function readLines(values: readonly SourceValue[]): RecordedLines {
  let last = new Map<unknown, Recorded>()
  const groups: { readonly line: number; readonly messages: Map<unknown, Recorded> }[] = []
  const groupOf = new Map<unknown, Map<unknown, Recorded>>()

  const record = (id: unknown, item: ListItem, known = last.get(id)): void => {
    const before = known ?? groupOf.get(id)?.get(id)
    groupOf.get(id)?.delete(id)
    last.set(id, { item, earlier: before ? [...before.earlier, before.item] : [] })
  }
  const takeBack = (taken: readonly (readonly [unknown, Recorded])[], line: number): void => {
    const messages = new Map(taken)
    for (const id of messages.keys()) {
      last.delete(id)
      groupOf.set(id, messages)
    }
    groups.push({ line, messages })
  }

  for (const source of values) {
    const { value, line = 1 } = source
    if (isJsonObject(value) && typeof value.$rewindTo === 'string') {
      const all = [...last]
      const from = all.findIndex(([id]) => id === value.$rewindTo)
      takeBack(all.slice(Math.max(0, from)), line)
    } else if (isJsonObject(value) && isJsonObject(value.$set)) {
      const { messages } = value.$set
      if (!Array.isArray(messages)) continue
      const before = last
      last = new Map()
      for (const [index, message] of messages.entries()) {
        const item = { source, path: ['$set', 'messages', index], value: message }
        const id = isJsonObject(message) ? message.id : item
        record(id, item, before.get(id))
      }
      takeBack(
        [...before].filter(([id]) => !last.has(id)),
        line,
      )
    } else if (!isHead(value)) {
      const item = { source, path: [], value }
      record(isJsonObject(value) && typeof value.id === 'string' ? value.id : item, item)
    }
  }
  return {
    last: [...last.values()],
    takenBack: groups.map(({ line, messages }) => ({ line, messages: [...messages.values()] })),
  }
}
