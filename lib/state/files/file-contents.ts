/** Where the bytes of listed files are, and the files in those that have several. */

import { archiveKind, MAX_FILES } from '@/lib/core/files/byte-sink'
import { fileTooLargeError, MAX_FILE_BYTES } from '@/lib/core/formats/reading/open-source'
import { type Problem, ReadError } from '@/lib/core/problem'
import { otherKindOf } from '@/lib/core/text/decode-utf8'
import { TextPieces } from '@/lib/core/text/span'
import { bytesOfBlob, chunksOf, READ_AT_ONCE } from '@/lib/worker/file-bytes'
import { nextTask } from '@/lib/worker/run-in-steps'
import type { SourceText } from '../document/document-slice'
import { LONGEST_AT_ONCE } from '../document/large-text'
import type { NamedFile } from './dropped-files'
import type { createFileListWorkers, FileContent, ListedFile } from './file-list-store'

/** In bytes. Browsers take longer for a part of a short file than for all of it. */
const SHORTEST_ASKED = 1_000_000

export const contentOf = (file: Blob): FileContent => ({ bytes: () => bytesOf(file), file })

export function createFileContents(workers: ReturnType<typeof createFileListWorkers>) {
  let nextId = 1

  const fileOf = (name: string, content: FileContent): ListedFile => {
    return { id: nextId++, name, content, state: { state: 'waiting' } }
  }

  const failedFile = (name: string, problem: Problem): ListedFile => ({
    id: nextId++,
    name,
    state: { state: 'failed', problem },
  })

  const unpack = async (name: string, bytes: Uint8Array, listed: readonly ListedFile[]) => {
    const sizes = listed.map(({ content }) => content?.unpackedBytes ?? 0)
    const used = { bytes: sizes.reduce((sum, size) => sum + size, 0), files: listed.length }
    const files = await workers.run('unpack', { name, bytes, used })
    return files?.map((file) =>
      'problem' in file
        ? failedFile(file.name, file.problem)
        : fileOf(file.name, { bytes: async () => file.bytes, unpackedBytes: file.bytes.length }),
    )
  }

  /** The rows of a Parquet file, each of which is read when it is needed. */
  const rowsOf = async (name: string, file: Blob, listed: readonly ListedFile[]) => {
    const parquet = { name, file, id: nextId++ }
    const limit = Math.max(1, MAX_FILES - listed.length)
    const opened = await workers.run('openParquet', { ...parquet, limit })
    if (opened === undefined) return undefined
    const { count: rows, names } = opened
    const files = names.map((rowName, row) =>
      fileOf(rowName, { bytes: () => workers.run('readParquetRow', { ...parquet, row }) }),
    )
    if (rows === files.length) return files
    const { problem } = new ReadError('parquet_rows', { name, rows, count: files.length })
    return [...files, failedFile(name, problem)]
  }

  return {
    fileOf,
    failedFile,
    /**
     * The bytes of a file, or the files of one that has several; undefined if it was stopped. Throws if it cannot be read.
     * `listed`: files that are listed already.
     */
    open: async (
      name: string,
      { bytes: read, file }: FileContent,
      listed: readonly ListedFile[],
      onUnpack: () => void = () => {},
    ): Promise<Uint8Array | readonly ListedFile[] | undefined> => {
      const isLong = file !== undefined && file.size > SHORTEST_ASKED
      if (isLong && (await isParquet(file))) return rowsOf(name, file, listed)
      const bytes = await read()
      const kind = bytes && archiveKind(bytes)
      if (bytes === undefined || kind === undefined) return bytes
      if (kind === 'parquet') return rowsOf(name, new Blob([Uint8Array.from(bytes)]), listed)
      onUnpack()
      return unpack(name, bytes, listed)
    },
  }
}

/** Numbers files that have the same name. */
export function withUniqueNames(files: readonly NamedFile[]): NamedFile[] {
  const used = new Set<string>()
  return files.map(({ name: given, file }) => {
    let name = given
    for (let copy = 2; used.has(name); copy++) name = `${given} (${copy})`
    used.add(name)
    return { name, file }
  })
}

/** The bytes of a file; throws if it is too long even if packed, so it is not loaded. */
export async function bytesOf(file: Blob): Promise<Uint8Array> {
  if (file.size > MAX_FILE_BYTES) throw fileTooLargeError(file.size)
  if (file.size > LONGEST_AT_ONCE) return bytesOfBlob(file)
  return new Uint8Array(await file.arrayBuffer())
}

export type DecodedText = Pick<SourceText, 'text' | 'pieces'>

/**
 * The text of a long file, decoded in several tasks. Undefined for a short file, and for one that is an archive or not text:
 * its bytes show what it is.
 */
export async function longTextOf(file: Blob): Promise<DecodedText | undefined> {
  if (file.size <= LONGEST_AT_ONCE || file.size > MAX_FILE_BYTES) return undefined
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const pieces = new TextPieces()
  let text = ''
  let read = 0
  let isBlank = true
  const add = (piece: string) => {
    if (piece === '') return
    pieces.add(piece)
    text += piece
    isBlank &&= piece.trim() === ''
  }
  try {
    for await (const chunk of chunksOf(file)) {
      if ((read === 0 && otherKindOf(chunk) !== undefined) || chunk.includes(0)) return undefined
      add(decoder.decode(chunk, { stream: true }))
      read += chunk.length
      if (read % READ_AT_ONCE < chunk.length) await nextTask()
    }
    add(decoder.decode())
  } catch {
    return undefined
  }
  return isBlank ? undefined : { text, pieces }
}

/** True for a Parquet file, of which only parts are read. */
export async function isParquet(file: Blob): Promise<boolean> {
  return archiveKind(new Uint8Array(await file.slice(0, 4).arrayBuffer())) === 'parquet'
}

/** The problem of a `ReadError`; any other error means that the browser could not read the file. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ReadError) return error.problem
  const reason = error instanceof Error ? error.message : String(error)
  return { code: 'unreadable_file', values: { reason }, offset: undefined }
}
