/** The names, bytes and problems of files that a user gives. */
import { archiveKind } from '@/lib/core/files/archive-kind'
import { fileTooLargeError, MAX_FILE_BYTES } from '@/lib/core/formats/reading/open-source'
import { type Problem, ReadError } from '@/lib/core/problem'
import { otherKindOf } from '@/lib/core/text/decode-utf8'
import { TextPieces } from '@/lib/core/text/text-pieces'
import { bytesOfBlob, chunksOf, READ_AT_ONCE } from '@/lib/worker/file-bytes'
import { nextTask } from '@/lib/worker/next-task'
import type { SourceText } from '../document/document-slice'
import { LONGEST_AT_ONCE } from '../document/large-text'
import type { NamedFile } from './dropped-files'

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
export async function bytesOf(file: NamedFile['file']): Promise<Uint8Array> {
  if (file.size > MAX_FILE_BYTES) throw fileTooLargeError(file.size)
  if (file.size > LONGEST_AT_ONCE && file instanceof Blob) return bytesOfBlob(file)
  return new Uint8Array(await file.arrayBuffer())
}

export type DecodedText = Pick<SourceText, 'text' | 'pieces'>

/**
 * The text of a long file, decoded in several tasks. Undefined for a short file, and for one that is an archive or not text:
 * its bytes show what it is.
 */
export async function longTextOf(file: NamedFile['file']): Promise<DecodedText | undefined> {
  const isLong = file.size > LONGEST_AT_ONCE && file.size <= MAX_FILE_BYTES
  if (!isLong || !(file instanceof Blob)) return undefined
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
