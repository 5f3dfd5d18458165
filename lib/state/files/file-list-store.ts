/** Store of the file list; the page's store holds the open document. */
import { createStore } from 'zustand/vanilla'
import type { Problem } from '@/lib/core/problem'
import type { FileMeasure } from '@/lib/worker/file-sessions'
import type { Jobs } from '@/lib/worker/jobs'

export type FileState =
  | { readonly state: 'waiting' }
  | { readonly state: 'failed'; readonly problem: Problem }
  /** `key` identifies the policy and model of the totals. */
  | { readonly state: 'measured'; readonly measure: FileMeasure; readonly key: string }

/** Where the bytes of a file are. */
export interface FileContent {
  /** Undefined if the reading was stopped. */
  readonly bytes: () => Promise<Uint8Array | undefined>
  /** The file itself, of which parts can be read. */
  readonly file?: Blob
  /** What it uses of the budget of archives. */
  readonly unpackedBytes?: number
}

export interface ListedFile {
  readonly id: number
  /** Path of folders, archives and file name, joined by slashes. */
  readonly name: string
  readonly state: FileState
  /** The mechanisms on it, once that was asked for. `key` is of the model and prices; without output if the worker failed. */
  readonly compared?: {
    readonly key: string
    readonly output: FileMeasure['compared']
  }
  /** Undefined for what was refused before it was read. */
  readonly content?: FileContent
}

/** The columns of each view of the table; `costs` has those of whole sessions, answers included. */
export const COLUMNS = {
  costs: [
    ...(['name', 'model', 'turns', 'requests', 'charged', 'plainBefore', 'plainAfter'] as const),
    ...(['cachedBefore', 'cachedAfter', 'cachedSaved', 'lostUses', 'recommended'] as const),
  ],
  request: [
    ...(['name', 'format', 'conversations', 'messages', 'turns', 'results', 'masked'] as const),
    ...(['before', 'after', 'saved', 'problems'] as const),
  ],
} as const

export type View = keyof typeof COLUMNS

export type Column = (typeof COLUMNS)[View][number]

/** Only files that meet every condition are shown and recommended for; undefined for all. */
export interface FileFilter {
  readonly tool: string | undefined
  readonly model: string | undefined
  readonly length: LengthRange | undefined
}

export const LENGTH_RANGES = ['upTo10', 'upTo50', 'over50'] as const

/** Turns of the longest session. */
export type LengthRange = (typeof LENGTH_RANGES)[number]

export const NO_FILTER: FileFilter = { tool: undefined, model: undefined, length: undefined }

/** The setting for all sessions shown. `failed`: the worker ended. */
export type FleetState =
  | { readonly state: 'none' }
  | { readonly state: 'working' | 'failed' }
  | { readonly state: 'done'; readonly fleet: Jobs['recommendFleet']['output'] }

export interface Sorting {
  readonly column: Column
  readonly isDescending: boolean
}

export interface FileListState {
  readonly files: readonly ListedFile[]
  /** The work in progress, if any. */
  readonly work?:
    | { readonly kind: 'reading' | 'renewing'; readonly done: number; readonly all: number }
    | undefined
  /** Files compared so far, while mechanisms are compared. */
  readonly comparing?: Pick<NonNullable<FileListState['work']>, 'done' | 'all'> | undefined
  /** True if the user stopped the reading. */
  readonly isStopped: boolean
  /** Undefined for the order in which the files were added. */
  readonly sorting?: Sorting | undefined
  readonly view: View
  readonly filter: FileFilter
  readonly fleet: FleetState
  readonly isOpen: boolean
}

export function createFileListStore() {
  return createStore<FileListState>(() => ({
    files: [],
    isStopped: false,
    view: 'costs',
    filter: NO_FILTER,
    fleet: { state: 'none' },
    isOpen: false,
  }))
}
