/** What the client itself cleared, as the transcript records it. */
import { CLEARED_TEXT, clearResults, resultsBefore } from './clear-results'
import type { SessionHistory } from './history'
import { defineMechanism } from './mechanism-table'

export const asItRan = defineMechanism<null>(
  'as-it-ran',
  null,
  ({ history, end, request }, state) => {
    const { conversation, requests } = history.session
    const cleared = resultsBefore(history, end).filter((at) => {
      const { clearedAt } = conversation.results[history.messages[at]?.result ?? -1] ?? {}
      return clearedAt !== undefined && clearedAt <= (requests[request]?.end ?? 0)
    })
    return { state, edits: clearResults(history, cleared, CLEARED_TEXT) }
  },
)

/** True if the transcript records that the client cleared something. */
export function hasClearings({ session: { conversation } }: SessionHistory): boolean {
  return conversation.results.some(({ clearedAt }) => clearedAt !== undefined)
}
