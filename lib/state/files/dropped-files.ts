/** Collects dropped or chosen files, including those in folders, with their paths as names. */

import {
  AGENT_START_BYTES,
  groupAgents,
  isAgentFile,
  sessionOfAgent,
} from '@/lib/core/files/agent-files'
import { MAX_FILES, NEVER_ENTERED } from '@/lib/core/files/byte-sink'
import { ReadError } from '@/lib/core/problem'
import { phrase } from '@/lib/core/words/words'

export interface NamedFile {
  /** Path from the chosen folder. */
  readonly name: string
  readonly file: Blob
}

/** True if a file name is that of a config, not a transcript. */
export function isConfigName(name: string): boolean {
  return /\.toml$/i.test(name)
}

/** Collects dropped files. Call it during the drop event, because the items are gone afterwards. */
export function droppedFiles({ items, files }: Pick<DataTransfer, 'items' | 'files'>) {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  const plain = namedFiles(files)
  // The browser has no entries, or a script made the drop.
  if (!entries.some(({ isDirectory }) => isDirectory)) return Promise.resolve(plain)
  return filesOfEntries(entries)
}

/** Files chosen with a button; those of a folder are sorted by path. */
export function namedFiles(files: Iterable<File>): NamedFile[] {
  const named = [...files].map((file) => ({ name: file.webkitRelativePath || file.name, file }))
  const isFolder = named.some(({ file }) => Boolean(file.webkitRelativePath))
  return isFolder ? named.sort((a, b) => compareNames(a.name, b.name)) : named
}

/** The files in the entries and their folders, sorted by name within each; at most one over the limit. */
async function filesOfEntries(entries: readonly FileSystemEntry[], found: NamedFile[] = []) {
  for (const entry of entries) {
    if (found.length > MAX_FILES) break
    if (entry.isDirectory) {
      const inner = (await entriesOf(entry as FileSystemDirectoryEntry))
        .filter(({ isDirectory, name }) => !isDirectory || !NEVER_ENTERED.includes(name))
        .sort((a, b) => compareNames(a.name, b.name))
      await filesOfEntries(inner, found)
    } else {
      const file = await fileOf(entry as FileSystemFileEntry)
      found.push({ name: entry.fullPath.replace(/^\//, ''), file })
    }
  }
  return found
}

/** A file that the browser refuses stays in the list; reading it gives the reason. */
function fileOf(entry: Partial<FileSystemFileEntry>): Promise<Blob> {
  return new Promise<Blob>((resolve, reject) => {
    if (entry.file === undefined)
      reject(new ReadError('unreadable_file', { reason: phrase('neither_file_nor_folder') }))
    else entry.file(resolve, reject)
  }).catch((error) => Object.assign(new Blob(), { arrayBuffer: () => Promise.reject(error) }))
}

/** `readEntries` gives a folder in chunks, until one is empty. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const piece = await new Promise<readonly FileSystemEntry[]>((resolve) => {
      reader.readEntries(resolve, () => resolve([]))
    })
    if (piece.length === 0) return all
    all.push(...piece)
  }
}

/** Files of sub-agents become a part of the file of their session, as further lines of it. */
export async function withAgents(files: readonly NamedFile[]): Promise<NamedFile[]> {
  const sessions = new Map<NamedFile, string>()
  for (const named of files.filter(({ name }) => isAgentFile(name))) {
    const start = await named.file
      .slice(0, AGENT_START_BYTES)
      .text()
      .catch(() => '')
    sessions.set(named, sessionOfAgent(named.name, start) ?? '')
  }
  const groups = groupAgents(
    files,
    ({ name }) => name,
    (named) => sessions.get(named),
  )
  return groups.map(({ file: { name, file }, agents }) => ({
    name,
    file:
      agents.length === 0
        ? file
        : new Blob([file, ...agents.flatMap((agent) => ['\n', agent.file])]),
  }))
}

const collator = new Intl.Collator('en', { numeric: true })

/** Compares file names, with `run-2` before `run-10`. */
export const compareNames = (first: string, second: string): number =>
  collator.compare(first, second)
