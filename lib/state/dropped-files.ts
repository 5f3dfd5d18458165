/** What a drop or a choice brings, folders walked through, as files with their paths as names. */
import { MAX_FILES } from '@/lib/core/files/byte-sink'
import { compareNames } from './compare-names'

/** The part of a browser's `File` that is used. */
export interface FileLike {
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly arrayBuffer: () => Promise<ArrayBuffer>
  /** Its path from the folder chosen; empty for a file chosen by itself. */
  readonly webkitRelativePath?: string
}

/** A file by the name it is listed under. */
export interface NamedFile {
  readonly name: string
  readonly file: FileLike
}

/** The parts of the browser's file system entries that are used. */
export interface EntryLike {
  readonly isDirectory: boolean
  /** From the root of what was dropped, with a slash before it. */
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

/** The parts of a browser's drop that are used. */
export interface DropLike {
  readonly items: Iterable<{ readonly webkitGetAsEntry?: () => EntryLike | null }>
  readonly files: Iterable<FileLike>
}

/** Folders of thousands of files, none of them a transcript. */
const NEVER_ENTERED = ['.git', 'node_modules']

/** What was dropped, as files; to be called while the drop is under way, since its items are gone after it. */
export function droppedFiles({ items, files }: DropLike): Promise<NamedFile[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  const plain = namedFiles(files)
  // A browser without entries, or a drop made by script.
  if (!entries.some(({ isDirectory }) => isDirectory)) return Promise.resolve(plain)
  return filesOfEntries(entries, MAX_FILES)
}

/** Files chosen by a button, as they come; a folder's by their path in it, and in the order of these. */
export function namedFiles(files: Iterable<FileLike>): NamedFile[] {
  const named = [...files].map((file) => ({ name: file.webkitRelativePath || file.name, file }))
  const isFolder = named.some(({ file }) => Boolean(file.webkitRelativePath))
  return isFolder ? named.sort((a, b) => compareNames(a.name, b.name)) : named
}

/** The files of what was dropped, folders walked through in the order of names; at most `limit` and one more. */
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

/** A file the browser will not give still stands in the list: reading it gives the reason. */
async function fileOf(entry: EntryLike): Promise<FileLike> {
  try {
    return await new Promise<FileLike>((resolve, reject) => {
      if (entry.file === undefined) reject(new Error('It is neither a file nor a folder.'))
      else entry.file(resolve, reject)
    })
  } catch (error) {
    return { name: entry.name, size: 0, arrayBuffer: () => Promise.reject(error) }
  }
}

/** A reader gives a folder in pieces of a hundred, until one is empty. */
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
