/**
 * `pruneMessages` of the AI SDK: old calls are left out together with their results. Its messages have all results of an
 * answer in one. Its setting `reasoning` changes no figure here, since reasoning is not counted.
 */

import { memoizeFor } from '../memoize-for'
import type { HistoryMessage, SessionHistory } from './history'
import { type MessageEdit, namesOf, textOf } from './mechanism'
import { defineStateless } from './mechanism-table'
import { REMOVED } from './summary'

export const aiSdkPruneMessages = defineStateless(
  'ai-sdk-prune-messages',
  ({ history, end }, settings) => {
    const choice = textOf(settings, 'toolCalls')
    const tools = namesOf(settings, 'tools')
    const removesEmpty = settings.emptyMessages === 'remove'
    const edits = new Map<number, MessageEdit>()
    const from = choice === 'none' ? 0 : firstKept(history, end, choice)
    const kept = new Set(
      history.messages
        .slice(from, end)
        .flatMap(({ calls, callId }) => [...calls.map(({ id }) => id), callId ?? []].flat()),
    )
    for (const [at, message] of history.messages.slice(0, end).entries()) {
      const isPruned = (id: string | undefined, name: string | undefined) =>
        at < from &&
        !kept.has(id) &&
        (tools.length === 0 || (name !== undefined && tools.includes(name)))
      const removed = message.calls.flatMap(({ id, name }, position) =>
        isPruned(id, name) ? [position] : [],
      )
      const isEmptied = message.content === '' && removed.length === message.calls.length
      if (message.role === 'tool') {
        if (isPruned(message.callId, message.toolName)) edits.set(at, REMOVED)
      } else if (isEmptied && removesEmpty) edits.set(at, REMOVED)
      else if (removed.length > 0)
        edits.set(
          at,
          memoizeFor(message, `without ${removed}`, () => ({
            calls: Object.fromEntries(removed.map((position) => [position, null])),
          })),
        )
    }
    return edits
  },
)

/** Position of the first message that a choice keeps. */
function firstKept(history: SessionHistory, end: number, choice: string): number {
  if (choice === 'all') return end
  const count = choice === 'before-last-message' ? 1 : Number(/\d+/.exec(choice))
  const starts = memoizeFor(history, firstKept, () =>
    history.messages.flatMap(({ role }: HistoryMessage, at) =>
      role === 'tool' && history.messages[at - 1]?.role === 'tool' ? [] : [at],
    ),
  )
  return starts.filter((at) => at < end).at(-count) ?? 0
}
