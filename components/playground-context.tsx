'use client'

import { createContext, type ReactNode, useContext, useState } from 'react'
import { useStore } from 'zustand'
import { createFileList, type FileList } from '@/lib/state/files/file-list'
import type { FileListState } from '@/lib/state/files/file-list-store'
import { createPlayground, type Playground } from '@/lib/state/playground'
import type { PlaygroundState } from '@/lib/state/store'

const PlaygroundContext = createContext<Playground | undefined>(undefined)
const FileListContext = createContext<FileList | undefined>(undefined)

/** Provides a playground and a file list to the views below. */
export function PlaygroundProvider({ children }: { readonly children: ReactNode }) {
  const [playground] = useState(() => createPlayground())
  const [fileList] = useState(() => createFileList(playground))
  return (
    <PlaygroundContext value={playground}>
      <FileListContext value={fileList}>{children}</FileListContext>
    </PlaygroundContext>
  )
}

export function usePlayground(): Playground {
  const playground = useContext(PlaygroundContext)
  if (playground === undefined)
    throw new Error('usePlayground needs a PlaygroundProvider above it.')
  return playground
}

/** Selects a part of the state, for example with a selector of `lib/state/selectors`. */
export function usePlaygroundState<Part>(select: (state: PlaygroundState) => Part): Part {
  return useStore(usePlayground().store, select)
}

/** Like `usePlaygroundState`, for slow views: a change of the settings reaches them after the next frame. */
export function useDeferredState<Part>(select: (state: PlaygroundState) => Part): Part {
  return useStore(usePlayground().deferred, select)
}

export function useFileList(): FileList {
  const fileList = useContext(FileListContext)
  if (fileList === undefined) throw new Error('useFileList needs a PlaygroundProvider above it.')
  return fileList
}

/** Selects a part of the state of the file list, for example with a selector of `lib/state/files/file-list-rows`. */
export function useFileListState<Part>(select: (state: FileListState) => Part): Part {
  return useStore(useFileList().store, select)
}
