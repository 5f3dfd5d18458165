/** Collects dropped or chosen files, including those in folders, with their paths as names. */

import { MAX_FILES } from '@/lib/core/files/byte-sink'
import { ReadError } from '@/lib/core/problem'
import { phrase } from '@/lib/core/words/words'

/** The part of `File` that is used. */
export interface FileLike {
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly arrayBuffer: () => Promise<ArrayBuffer>
  /** Path from the chosen folder; empty for a single file. */
  readonly webkitRelativePath?: string
}

export interface NamedFile {
  readonly name: string
  readonly file: FileLike
}

/** True if a file name is that of a config, not a transcript. */
export function isConfigName(name: string): boolean {
  return /\.toml$/i.test(name)
}

/** The parts of `FileSystemEntry` that are used. */
export interface EntryLike {
  readonly isDirectory: boolean
  /** Starts with a slash. */
  readonly fullPath: string
  readonly name: string
  readonly file?: (onFile: (file: FileLike) => void, onError: (error: unknown) => void) => void
  readonly createReader?: () => {
    readonly readEntries: (
      onEntries: (entries: readonly EntryLike[]) => void,
      onError: (error: unknown) => void,
    ) => void
  }
}

/** The parts of `DataTransfer` that are used. */
export interface DropLike {
  readonly items: Iterable<{ readonly webkitGetAsEntry?: () => EntryLike | null }>
  readonly files: Iterable<FileLike>
}

/** Folders that hold thousands of files and no transcripts. */
const NEVER_ENTERED = ['.git', 'node_modules']

/** Collects dropped files. Call it during the drop event, because the items are gone afterwards. */
export function droppedFiles({ items, files }: DropLike): Promise<NamedFile[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  const plain = namedFiles(files)
  // The browser has no entries, or a script made the drop.
  if (!entries.some(({ isDirectory }) => isDirectory)) return Promise.resolve(plain)
  return filesOfEntries(entries, MAX_FILES)
}

/** Files chosen with a button; those of a folder are sorted by path. */
export function namedFiles(files: Iterable<FileLike>): NamedFile[] {
  const named = [...files].map((file) => ({ name: file.webkitRelativePath || file.name, file }))
  const isFolder = named.some(({ file }) => Boolean(file.webkitRelativePath))
  return isFolder ? named.sort((a, b) => compareNames(a.name, b.name)) : named
}

/** The files in the dropped entries and their folders, sorted by name; at most `limit` + 1. */
async function filesOfEntries(entries: readonly EntryLike[], limit: number): Promise<NamedFile[]> {
  const found: NamedFile[] = []
  const visit = async (entry: EntryLike): Promise<void> => {
    if (found.length > limit) return
    if (!entry.isDirectory) {
      found.push({ name: entry.fullPath.replace(/^\//, ''), file: await fileOf(entry) })
      return
    }
    const inner = [...(await entriesOf(entry))].sort((a, b) => compareNames(a.name, b.name))
    for (const child of inner) {
      if (!child.isDirectory || !NEVER_ENTERED.includes(child.name)) await visit(child)
    }
  }
  for (const entry of entries) await visit(entry)
  return found
}

/** A file that the browser refuses stays in the list; reading it gives the reason. */
async function fileOf(entry: EntryLike): Promise<FileLike> {
  try {
    return await new Promise<FileLike>((resolve, reject) => {
      if (entry.file === undefined) reject(refused())
      else entry.file(resolve, reject)
    })
  } catch (error) {
    return { name: entry.name, size: 0, arrayBuffer: () => Promise.reject(error) }
  }
}

/** `readEntries` gives a folder in chunks, until one is empty. */
async function entriesOf(folder: EntryLike): Promise<readonly EntryLike[]> {
  const reader = folder.createReader?.()
  const all: EntryLike[] = []
  while (reader !== undefined) {
    const piece = await new Promise<readonly EntryLike[]>((resolve) => {
      reader.readEntries(resolve, () => resolve([]))
    })
    if (piece.length === 0) break
    all.push(...piece)
  }
  return all
}

const collator = new Intl.Collator('en', { numeric: true })

/** Compares file names, with `run-2` before `run-10`. */
export const compareNames = (first: string, second: string): number =>
  collator.compare(first, second)

function refused(): ReadError {
  return new ReadError('unreadable_file', { reason: phrase('neither_file_nor_folder') })
}
