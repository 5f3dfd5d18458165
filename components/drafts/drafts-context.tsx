import { createContext, type ReactNode, useContext, useState } from 'react'
import { useStore } from 'zustand'
import { createDrafts, type DraftEnvironment, type Drafts } from '@/lib/state/drafts/create-drafts'
import { openDraftDatabase } from '@/lib/state/drafts/draft-database'
import { createDraftLocks } from '@/lib/state/drafts/draft-locks'
import type { DraftsState } from '@/lib/state/drafts/save-draft'
import { usePlayground } from '../playground-context'
import { useWindowEvents } from '../use-events'

const DraftsContext = createContext<Drafts | undefined>(undefined)

/** Provides the drafts of the playground to the views below. */
export function DraftsProvider({ children }: { children: ReactNode }) {
  const playground = usePlayground()
  const [drafts] = useState(() => createDrafts(playground, browserEnvironment()))
  return <DraftsContext value={drafts}>{children}</DraftsContext>
}

export function useDrafts(): Drafts {
  const drafts = useContext(DraftsContext)
  if (drafts === undefined) throw new Error('useDrafts needs a DraftsProvider above it.')
  return drafts
}

export function useDraftsState<Part>(select: (state: DraftsState) => Part): Part {
  return useStore(useDrafts().store, select)
}

/** Whether this dialog is open: one at a time is. */
export function useDraftsDialog(name: DraftsState['dialog']) {
  const { show } = useDrafts()
  return {
    isOpen: useDraftsState(({ dialog }) => dialog === name),
    onOpenChange: (isOpen: boolean) => show(isOpen ? name : undefined),
  }
}

const CHANNEL = 'masking-playground.forgotten'

/** Storage of drafts in a browser. Accesses it lazily, since the page is also rendered on a server. */
function browserEnvironment(): DraftEnvironment {
  return {
    database: openDraftDatabase(),
    locks: createDraftLocks(() => navigator.locks),
    tabStorage: () => sessionStorage,
    storage: () => localStorage,
    startOver: () => location.replace(`${location.pathname}${location.search}`),
    announceForgotten: () => {
      const channel = new BroadcastChannel(CHANNEL)
      channel.postMessage(undefined)
      channel.close()
    },
    onForgotten: (listener) => {
      // A browser that stores nothing for the page may refuse this too; then no tab has anything to forget.
      try {
        new BroadcastChannel(CHANNEL).onmessage = listener
      } catch {}
    },
  }
}

/** Saves the newest state when the page is hidden or left. Asks before leaving if a text is not stored. */
export function useSaveOnLeave(): void {
  const { store } = usePlayground()
  const drafts = useDrafts()
  const keep = () => void drafts.flush()
  useWindowEvents({
    beforeunload: (event) => {
      const { text, origin } = store.getState().source
      const isNowhereElse = origin.kind !== 'sample' && origin.kind !== 'file'
      const { saving } = drafts.store.getState()
      const isUnsaved = saving === 'pending' || saving === 'failed'
      if (!isUnsaved || !isNowhereElse || text.trim() === '') return
      keep()
      event.preventDefault()
    },
    pagehide: drafts.leave,
    visibilitychange: () => document.visibilityState === 'hidden' && keep(),
  })
}
