/** Later uses of the shown session, and those that the current policy loses. */

import { groupBy } from '@/lib/core/conversation/add-to-group'
import type { LaterUse } from '@/lib/core/uses/find-later-uses'
import { sessionIndexOf } from '../costs/shown-session'
import { conversationOf } from '../document/selectors'
import { lostUsesOf } from '../policy/policy-view'
import { answerTo, select } from '../select'

/** The input of the job that finds the later uses; undefined until the document is counted. */
export const laterUsesInputOf = select(
  [({ read }) => read?.source.id, sessionIndexOf],
  (document, session) => ({ document, session }),
)

/** All later uses of the shown session; undefined until the worker answers. */
export const laterUsesOf = answerTo<'findLaterUses'>(laterUsesInputOf)

/** A later use, and whether the current policy loses it. */
export interface ShownUse {
  readonly use: LaterUse
  readonly isLost: boolean
}

/** The later uses by both of their places; undefined until they are found. */
export const groupedUsesOf = select([laterUsesOf, lostUsesOf], (uses, lost) => {
  const lostUses = new Set(lost.map(({ use }) => use))
  const shown = uses.map((use, index): ShownUse => ({ use, isLost: lostUses.has(index) }))
  return {
    ofResult: groupBy(shown, ({ use }) => use.result),
    ofAnswer: groupBy(shown, ({ use }) => use.message),
  }
})

export type Arc = readonly [from: number, to: number]

/** More arcs are not told apart. */
const MOST_ARCS = 2_000

/** The arcs of the shown conversation up to the request shown; undefined until its later uses are found. */
export const arcsOf = select(
  [conversationOf, laterUsesOf, lostUsesOf, ({ request = Infinity }) => request],
  ({ results }, all, allLost, shownRequest) => {
    // An earlier request has the answers to the requests before it; uses are in the order of the requests.
    const uses = all.filter(({ request }) => request < shownRequest)
    const lostUses = new Set(allLost.map(({ use }) => use))
    const pairs = new Map<string, { readonly arc: Arc; isLost: boolean }>()
    for (const [index, { result, message }] of uses.entries()) {
      const from = results[result]?.message ?? 0
      const key = `${from} ${message}`
      const isLost = lostUses.has(index)
      const known = pairs.get(key)
      if (known === undefined) pairs.set(key, { arc: [from, message], isLost })
      else known.isLost ||= isLost
    }
    const sorted = [...pairs.values()].sort((a, b) => b.arc[1] - b.arc[0] - (a.arc[1] - a.arc[0]))
    const pick = (isLost: boolean) =>
      sorted
        .filter((pair) => pair.isLost === isLost)
        .slice(0, MOST_ARCS)
        .map(({ arc }) => arc)
    return {
      // Messages of the result and of the answer; each pair once, the farthest first.
      kept: pick(false),
      lost: pick(true),
      results: new Set(uses.map(({ result }) => result)).size,
    }
  },
)
