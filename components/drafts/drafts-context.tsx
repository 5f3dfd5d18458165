'use client'

import { createContext, type ReactNode, useContext, useState } from 'react'
import { useStore } from 'zustand'
import { createDrafts, type Drafts } from '@/lib/state/drafts/drafts'
import type { DraftsState } from '@/lib/state/drafts/drafts-store'
import { usePlayground } from '../playground-context'
import { browserSurroundings } from './browser-surroundings'

const DraftsContext = createContext<Drafts | undefined>(undefined)

/** Gives the views below it the drafts of the playground above it. */
export function DraftsProvider({ children }: { readonly children: ReactNode }) {
  const playground = usePlayground()
  const [drafts] = useState(() => createDrafts(playground, browserSurroundings()))
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
