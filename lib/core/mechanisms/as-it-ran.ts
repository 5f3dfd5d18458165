/** What the client itself cleared, as the transcript records it. */
import { CLEARED_TEXT, clearResults, resultsBefore } from './clear-results'
import type { SessionHistory } from './history'
import { type Mechanism, NO_EDITS } from './mechanism'
import { defineStateless } from './mechanism-table'

export const asItRan = defineStateless('as-it-ran', ({ history, end, request }) => {
  const { conversation, requests } = history.session
  const cleared = resultsBefore(history, end).filter((at) => {
    const clearedAt = conversation.results[history.messages[at]?.result as number]?.clearedAt
    return clearedAt !== undefined && clearedAt <= (requests[request]?.end as number)
  })
  return clearResults(history, cleared, CLEARED_TEXT)
})

const step: Mechanism<null>['step'] = (_, state) => ({ state, edits: NO_EDITS })

export const UNCHANGED: Mechanism<null> = { ...asItRan, id: 'unchanged', step }

/** True if the transcript records that the client cleared something. */
export function hasClearings({ session: { conversation } }: SessionHistory): boolean {
  return conversation.results.some(({ clearedAt }) => clearedAt !== undefined)
}
