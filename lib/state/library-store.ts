/** The list of files at hand and what is known of each; apart from the page's store, which holds the one that is open. */
import { createStore } from 'zustand/vanilla'
import type { Problem } from '@/lib/core/problem'
import type { FileFacts } from '@/lib/worker/protocol'

export type FileState =
  | { readonly state: 'waiting' }
  | { readonly state: 'failed'; readonly problem: Problem }
  /** `key` tells the policy and model the totals are under. */
  | { readonly state: 'surveyed'; readonly facts: FileFacts; readonly key: string }

export interface LibraryFile {
  readonly id: number
  /** Its path: folders, archives and its own name, with slashes between them. */
  readonly name: string
  readonly state: FileState
}

export const COLUMNS = [
  'name',
  'format',
  'conversations',
  'messages',
  'turns',
  'results',
  'masked',
  'before',
  'after',
  'saved',
  'problems',
] as const

export type Column = (typeof COLUMNS)[number]

export interface Sorting {
  readonly column: Column
  readonly isDescending: boolean
}

export interface LibraryState {
  readonly files: readonly LibraryFile[]
  /** What is being done; undefined at rest. */
  readonly work:
    | { readonly kind: 'reading' | 'renewing'; readonly done: number; readonly all: number }
    | undefined
  /** The user ended the reading before it was through. */
  readonly isStopped: boolean
  /** Undefined for the order in which the files came. */
  readonly sorting: Sorting | undefined
  /** Whether the list is shown. */
  readonly isOpen: boolean
}

export function createLibraryStore() {
  return createStore<LibraryState>(() => ({
    files: [],
    work: undefined,
    isStopped: false,
    sorting: undefined,
    isOpen: false,
  }))
}
