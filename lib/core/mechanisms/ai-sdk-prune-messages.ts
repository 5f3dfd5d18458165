/**
 * `pruneMessages` of the AI SDK: old calls are left out together with their results. Its messages have all results of an
 * answer in one. Its setting `reasoning` changes no figure here, since reasoning is not counted.
 */

import { addToGroup } from '../conversation/add-to-group'
import { memoizeFor } from '../memoize-for'
import { positionsBefore } from './clear-results'
import type { HistoryMessage, SessionHistory } from './history'
import { type MessageEdit, namesOf, type Settings, textOf } from './mechanism'
import { defineStateless } from './mechanism-table'
import { REMOVED } from './summary'

type Id = string | undefined

export const aiSdkPruneMessages = defineStateless(
  'ai-sdk-prune-messages',
  ({ history, end }, settings) => {
    const from = firstKept(history, end, textOf(settings, 'toolCalls'))
    const { all, placesOf } = prunedMessages(history, settings)
    const isKept = (id: Id) => placesOf.get(id)?.some((at) => at >= from && at < end) === true
    const edits = new Map<number, MessageEdit>()
    for (const { at, old, lastPlace } of all) {
      if (at >= end) break
      if (lastPlace >= from && at >= from) continue
      const own = lastPlace < from ? old : prune(history, at, settings, isKept)
      if (own !== undefined) edits.set(at, own)
    }
    return edits
  },
)

/** The messages that can change: what they become if none of their ids is kept, and the last message with one of these. */
function prunedMessages(history: SessionHistory, settings: Settings) {
  const key = `pruned ${settings.emptyMessages} ${namesOf(settings, 'tools').join('\n')}`
  return memoizeFor(history, key, () => {
    /** By id: positions of the messages with it. */
    const placesOf = new Map<Id, number[]>()
    for (const [at, message] of history.messages.entries())
      for (const id of idsOf(message))
        if (id !== undefined || message.role !== 'tool') addToGroup(placesOf, id, at)
    const all = history.messages.flatMap((message, at) => {
      const old = prune(history, at, settings, () => false)
      const places = idsOf(message).map((id) => placesOf.get(id)?.at(-1) ?? at)
      const lastPlace = places.length === 0 ? -1 : Math.max(at, ...places)
      return old === undefined ? [] : [{ at, old, lastPlace }]
    })
    return { all, placesOf }
  })
}

const idsOf = ({ role, calls, callId }: HistoryMessage): readonly Id[] =>
  role === 'tool' ? [callId] : calls.map(({ id }) => id)

/** What a message becomes without the calls and results whose id is not kept. */
function prune(
  history: SessionHistory,
  at: number,
  settings: Settings,
  isKept: (id: Id) => boolean,
): MessageEdit | undefined {
  const message = history.messages[at] as HistoryMessage
  const tools = namesOf(settings, 'tools')
  const isPruned = (id: Id, name: string | undefined) =>
    !isKept(id) && (tools.length === 0 || (name !== undefined && tools.includes(name)))
  if (message.role === 'tool')
    return isPruned(message.callId, message.toolName) ? REMOVED : undefined
  const removed = message.calls.flatMap(({ id, name }, position) =>
    isPruned(id, name) ? [position] : [],
  )
  const isEmptied = message.content === '' && removed.length === message.calls.length
  if (isEmptied && settings.emptyMessages === 'remove') return REMOVED
  if (removed.length === 0) return undefined
  return memoizeFor(message, `without ${removed}`, () => ({
    calls: Object.fromEntries(removed.map((position) => [position, null])),
  }))
}

/** Position of the first message that a choice keeps. */
function firstKept(history: SessionHistory, end: number, choice: string): number {
  if (choice === 'none') return 0
  if (choice === 'all') return end
  const count = choice === 'before-last-message' ? 1 : Number(/\d+/.exec(choice))
  const starts = memoizeFor(history, firstKept, () =>
    history.messages.flatMap(({ role }: HistoryMessage, at) =>
      role === 'tool' && history.messages[at - 1]?.role === 'tool' ? [] : [at],
    ),
  )
  return positionsBefore(starts, end).at(-count) ?? 0
}
