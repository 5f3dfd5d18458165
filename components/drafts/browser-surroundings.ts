import { openDraftDatabase } from '@/lib/state/drafts/draft-database'
import { createDraftLocks } from '@/lib/state/drafts/draft-locks'
import type { DraftSurroundings } from '@/lib/state/drafts/drafts'
import { readTabMemory, writeTabMemory } from '@/lib/state/drafts/tab-memory'

const CHANNEL = 'masking-playground.forgotten'

/** Where drafts are kept in a browser. Nothing of it is touched before the page starts: it is also built on a server. */
export function browserSurroundings(): DraftSurroundings {
  return {
    database: openDraftDatabase(),
    locks: createDraftLocks(() => navigator.locks),
    readTab: () => readTabMemory(() => sessionStorage),
    writeTab: (memory) => writeTabMemory(() => sessionStorage, memory),
    removeKept: (names) => {
      for (const name of names) localStorage.removeItem(name)
    },
    beginAnew: () => location.replace(`${location.pathname}${location.search}`),
    tellForgotten: () => {
      const channel = new BroadcastChannel(CHANNEL)
      channel.postMessage(undefined)
      channel.close()
    },
    onForgotten: (listener) => {
      new BroadcastChannel(CHANNEL).onmessage = listener
    },
  }
}
