import type { OwnTerms } from '@/lib/core/replay/own-terms'
import { sessionOf } from './savings'
import type { PlaygroundStore } from './store'
import type { SweepAxis } from './sweep-axis'

/** What a user chooses about costs, and the request looked back at. */
export function createSavingsActions({ getState: get, setState: set }: PlaygroundStore) {
  return {
    /** Says something of a model, by its key; undefined takes all of it back. */
    changeOwnTerms: (key: string, terms: OwnTerms | undefined) =>
      set(({ ownTerms }) => {
        const { [key]: before, ...others } = ownTerms
        if (terms === undefined) return { ownTerms: others }
        const known = Object.entries({ ...before, ...terms }).filter(
          ([, value]) => value !== undefined,
        )
        if (known.length === 0) return { ownTerms: others }
        return { ownTerms: { ...others, [key]: Object.fromEntries(known) as OwnTerms } }
      }),
    /** The smallest window that is ever recommended. */
    setSmallestWindow: (smallestWindow: number) =>
      set({ smallestWindow: Math.max(1, Math.floor(smallestWindow)) }),
    setSweepAxis: (sweepAxis: SweepAxis) => set({ sweepAxis }),
    /** Looks back at one request, by index; undefined is the one about to be sent. */
    chooseRequest: (request: number | undefined) => {
      const session = sessionOf(get())
      const requests = session?.requests ?? []
      if (request === undefined || requests.length === 0) return set({ request: undefined })
      const index = Math.min(requests.length - 1, Math.max(0, request))
      // Each request of a log is a conversation of its own.
      if (session?.origin === 'log') {
        const conversation = session.conversations[index] ?? get().conversation
        return set({ request: undefined, conversation, selection: undefined })
      }
      const last = (requests[index]?.end ?? 1) - 1
      set(({ selection }) => ({
        request: index,
        selection: {
          message: last,
          result: undefined,
          by: 'timeline',
          count: (selection?.count ?? 0) + 1,
        },
      }))
    },
  }
}
