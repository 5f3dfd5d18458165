/** Store of the file list; the page's store holds the open document. */
import { createStore } from 'zustand/vanilla'
import type { Problem } from '@/lib/core/problem'
import type { FileMeasure } from '@/lib/worker/jobs'

export type FileState =
  | { readonly state: 'waiting' }
  | { readonly state: 'failed'; readonly problem: Problem }
  /** `key` identifies the policy and model of the totals. */
  | { readonly state: 'measured'; readonly measure: FileMeasure; readonly key: string }

export interface ListedFile {
  readonly id: number
  /** Path of folders, archives and file name, joined by slashes. */
  readonly name: string
  readonly state: FileState
}

export const TOTALS_COLUMNS = [
  'conversations',
  'messages',
  'turns',
  'results',
  'masked',
  'before',
  'after',
  'saved',
] as const

export type TotalsColumn = (typeof TOTALS_COLUMNS)[number]

export const COLUMNS = ['name', 'format', ...TOTALS_COLUMNS, 'problems'] as const

export type Column = (typeof COLUMNS)[number]

export interface Sorting {
  readonly column: Column
  readonly isDescending: boolean
}

export interface FileListState {
  readonly files: readonly ListedFile[]
  /** The work in progress, if any. */
  readonly work:
    | { readonly kind: 'reading' | 'renewing'; readonly done: number; readonly all: number }
    | undefined
  /** True if the user stopped the reading. */
  readonly isStopped: boolean
  /** Undefined for the order in which the files were added. */
  readonly sorting: Sorting | undefined
  readonly isOpen: boolean
}

export function createFileListStore() {
  return createStore<FileListState>(() => ({
    files: [],
    work: undefined,
    isStopped: false,
    sorting: undefined,
    isOpen: false,
  }))
}
