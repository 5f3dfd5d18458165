import { archiveKind } from '@/lib/core/files/archive-kind'
import { MAX_UNPACKED_BYTES } from '@/lib/core/files/byte-sink'
import type { UnpackedFile } from '@/lib/core/files/unpack'
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
  const members = await filesIn(file, actions.unpack)
  const opened = members.find((member) => 'bytes' in member) ?? members[0]
  if (opened === undefined) return
  const problem = 'problem' in opened ? opened.problem : open(opened, actions)
  const all = files.length + members.length - 1
  if (problem !== undefined) actions.reportProblem(problem, opened.name)
  else if (all > 1) actions.notify('too_many_files', { name: opened.name, files: all })
}

/** Opens a file's bytes in the page, or gives why that cannot be. */
function open(
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
  actions: Playground['actions'],
): Problem | undefined {
  try {
    const text = textOfFile(bytes)
    if (text.trim() === '') throw new ReadError('empty_file')
    actions.openText(text, name, { kind: 'file' })
    return undefined
  } catch (error) {
    return error instanceof ReadError ? error.problem : unreadable(error)
  }
}

/** The files packed in a file; the file itself when it is none of the archives known. */
async function filesIn(
  file: FileLike,
  unpack: Playground['actions']['unpack'],
): Promise<readonly UnpackedFile[]> {
  const { name } = file
  try {
    // Surely too long whatever it is: not worth its memory.
    if (file.size > MAX_UNPACKED_BYTES) throw tooLarge(file.size)
    const bytes = new Uint8Array(await file.arrayBuffer())
    return archiveKind(bytes) === undefined ? [{ name, bytes }] : await unpack(name, bytes)
  } catch (error) {
    return [{ name, problem: error instanceof ReadError ? error.problem : unreadable(error) }]
  }
}

function textOfFile(bytes: Uint8Array): string {
  // A character takes at most three bytes here.
  if (bytes.length > MAX_SOURCE_LENGTH * 3) throw tooLarge(bytes.length)
  return decodeUtf8(bytes)
}

function tooLarge(bytes: number): ReadError {
  const limit = MAX_SOURCE_LENGTH / 1e6
  return new ReadError('too_large', { size: Math.ceil(bytes / 1e6), limit })
}

/** The browser could not read the file: it was moved, or may not be read. */
function unreadable(error: unknown): Problem {
  const reason = error instanceof Error ? error.message : String(error)
  return { code: 'unreadable_file', values: { reason }, offset: undefined }
}
