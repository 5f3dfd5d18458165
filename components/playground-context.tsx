'use client'

import { createContext, type ReactNode, useContext, useState } from 'react'
import { IntlProvider } from 'use-intl'
import { useStore } from 'zustand'
import { en } from '@/lib/messages/en'
import { createLibrary, type Library } from '@/lib/state/library'
import type { LibraryState } from '@/lib/state/library-store'
import { createPlayground, type Playground } from '@/lib/state/playground'
import type { PlaygroundState } from '@/lib/state/store'

const PlaygroundContext = createContext<Playground | undefined>(undefined)
const LibraryContext = createContext<Library | undefined>(undefined)

/** Gives the views below it one playground, and their texts. */
export function PlaygroundProvider({ children }: { readonly children: ReactNode }) {
  const [playground] = useState(() => createPlayground())
  const [library] = useState(() => createLibrary(playground))
  return (
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <PlaygroundContext value={playground}>
        <LibraryContext value={library}>{children}</LibraryContext>
      </PlaygroundContext>
    </IntlProvider>
  )
}

export function usePlayground(): Playground {
  const playground = useContext(PlaygroundContext)
  if (playground === undefined)
    throw new Error('usePlayground needs a PlaygroundProvider above it.')
  return playground
}

/** A part of the state, or something derived from it by a selector of `lib/state/selectors`. */
export function usePlaygroundState<Part>(select: (state: PlaygroundState) => Part): Part {
  return useStore(usePlayground().store, select)
}

/** The list of files at hand. */
export function useLibrary(): Library {
  const library = useContext(LibraryContext)
  if (library === undefined) throw new Error('useLibrary needs a PlaygroundProvider above it.')
  return library
}

/** A part of the list's state, or something derived from it by a selector of `lib/state/library-rows`. */
export function useLibraryState<Part>(select: (state: LibraryState) => Part): Part {
  return useStore(useLibrary().store, select)
}
