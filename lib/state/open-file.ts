import { MAX_SOURCE_LENGTH } from '@/lib/core/formats/source-document'
import { type Problem, ReadError } from '@/lib/core/problem'
import { decodeUtf8 } from '@/lib/core/text/decode-utf8'
import type { Playground } from './playground'

/** The part of a browser's `File` that is used. */
export interface FileLike {
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly arrayBuffer: () => Promise<ArrayBuffer>
}

/** Opens the first of the files given; one that is no text is said to be so, and what was open stays. */
export async function openFiles(
  { actions }: Playground,
  files: readonly FileLike[],
): Promise<void> {
  const [file] = files
  if (file === undefined) return
  try {
    const text = await textOfFile(file)
    if (text.trim() === '') throw new ReadError('empty_file')
    actions.openText(text, file.name, { kind: 'file' })
    if (files.length > 1) actions.notify('too_many_files', { name: file.name, files: files.length })
  } catch (error) {
    const problem = error instanceof ReadError ? error.problem : unreadable(error)
    actions.reportProblem(problem, file.name)
  }
}

async function textOfFile(file: FileLike): Promise<string> {
  // A character takes at most three bytes here, so this file is surely too long: not worth its memory.
  if (file.size > MAX_SOURCE_LENGTH * 3) {
    const size = Math.ceil(file.size / 1e6)
    throw new ReadError('too_large', { size, limit: MAX_SOURCE_LENGTH / 1e6 })
  }
  return decodeUtf8(new Uint8Array(await file.arrayBuffer()))
}

/** The browser could not read the file: it was moved, or may not be read. */
function unreadable(error: unknown): Problem {
  const reason = error instanceof Error ? error.message : String(error)
  return { code: 'unreadable_file', values: { reason }, offset: undefined }
}
