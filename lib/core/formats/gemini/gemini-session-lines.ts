/**
 * The lines of a Gemini CLI session: a message is appended again when it grows, `$rewindTo` removes messages,
 * `$set.messages` replaces all of them.
 */
import { isJsonObject, type JsonObject, membersOf } from '../../text/json-object'
import type { ListItem } from '../reading/message-lists'
import type { SourceValue } from '../reading/source-document'

export interface SessionMessages {
  /** The messages that Gemini CLI itself would load. */
  readonly current: readonly ListItem[]
  /** Messages that a line removed for good; they were sent once, and are still in the file. */
  readonly removals: readonly {
    readonly line: number
    readonly messages: readonly ListItem[]
  }[]
}

export function isSessionHead(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false
  const { sessionId, projectHash } = value
  return typeof sessionId === 'string' && typeof projectHash === 'string'
}

/** Sorts the lines of a session into messages; a message recorded again after its removal is not removed. */
export function readSessionLines(values: readonly SourceValue[]): SessionMessages {
  let current = new Map<unknown, ListItem>()
  const removals: { readonly line: number; readonly messages: Map<unknown, ListItem> }[] = []
  const removalOf = new Map<unknown, Map<unknown, ListItem>>()

  const record = (id: unknown, item: ListItem): void => {
    removalOf.get(id)?.delete(id)
    current.set(id, item)
  }
  const remove = (removed: readonly (readonly [unknown, ListItem])[], line: number): void => {
    const messages = new Map(removed)
    for (const id of messages.keys()) {
      current.delete(id)
      removalOf.set(id, messages)
    }
    removals.push({ line, messages })
  }

  for (const source of values) {
    const { value, line = 1 } = source
    const { $rewindTo, $set } = membersOf(value)
    if (typeof $rewindTo === 'string') {
      const all = [...current]
      const from = all.findIndex(([id]) => id === $rewindTo)
      remove(all.slice(Math.max(0, from)), line)
    } else if (isJsonObject($set)) {
      const { messages } = $set
      if (!Array.isArray(messages)) continue
      const before = current
      current = new Map()
      for (const [index, message] of messages.entries()) {
        const item = { source, path: ['$set', 'messages', index], value: message }
        record(membersOf(message).id ?? item, item)
      }
      remove(
        [...before].filter(([id]) => !current.has(id)),
        line,
      )
    } else if (!isSessionHead(value)) {
      const item = { source, path: [], value }
      record(isJsonObject(value) && typeof value.id === 'string' ? value.id : item, item)
    }
  }
  return {
    current: [...current.values()],
    removals: removals.map(({ line, messages }) => ({ line, messages: [...messages.values()] })),
  }
}
