import { messageOf, ReadError } from '../problem'
import { skippedEnd } from '../text/decode-utf8'
import type { Words } from '../words/words'

/** The bytes and files that can still be unpacked. All archives opened at once share it, which stops archive bombs. */
export type UnpackBudget = ReturnType<typeof createUnpackBudget>

/** Enough for the log of an evaluation, and small enough for a browser's memory. */
const MAX_UNPACKED_BYTES = 300_000_000

/** Largest number of files in the file list. */
export const MAX_FILES = 2_000
/** Folders that hold thousands of files and no transcripts. */
export const NEVER_ENTERED = ['.git', 'node_modules']

/** The bytes and files that are already unpacked. */
export type Unpacked = Pick<UnpackBudget, 'bytes' | 'files'>

export function createUnpackBudget(
  bytes = MAX_UNPACKED_BYTES,
  files = MAX_FILES,
  unpacked = { bytes: 0, files: 0 },
) {
  const left = { bytesLeft: bytes - unpacked.bytes, filesLeft: Math.max(0, files - unpacked.files) }
  // The initial limits are shown in problems.
  return { ...left, bytes, files }
}

/** Collects unpacked bytes; throws a `ReadError` as soon as they exceed the budget. */
export function createByteSink(member: string, budget: UnpackBudget) {
  const pieces: Uint8Array[] = []
  let size = 0
  return {
    write: (piece: Uint8Array): void => {
      size += piece.length
      if (size > budget.bytesLeft) throw tooLarge(member, budget)
      pieces.push(piece)
    },
    /** Returns all bytes and subtracts their number from the budget. */
    finish: (): Uint8Array => {
      budget.bytesLeft -= size
      const whole = new Uint8Array(size)
      let at = 0
      for (const piece of pieces) {
        whole.set(piece, at)
        at += piece.length
      }
      return whole
    },
  }
}

export function tooLarge(member: string, budget: UnpackBudget): ReadError {
  return new ReadError('archive_large', { member, limit: Math.floor(budget.bytes / 1e6) })
}

/** Why an archive could not be unpacked: it is cut off before what is `missing`, or broken. */
export function archiveError(
  kind: string,
  bytes: Uint8Array,
  error: unknown,
  { isCut, missing, expected }: { isCut: boolean; missing: Words; expected: Words },
): ReadError {
  if (error instanceof ReadError) return error
  if (isCut) return new ReadError('archive_cut', { kind, bytes: bytes.length, missing })
  return new ReadError('archive_broken', { kind, found: { name: messageOf(error) }, expected })
}

/** First bytes of archives, in hexadecimal. Names are not used, since a browser can rename or unpack a file. */
const SIGNATURES = {
  gzip: /^1f8b08/,
  // A zip with files in it, and an empty one.
  zip: /^504b(0304|0506)/,
  zstd: /^28b52ffd/,
  // PAR1, and PARE where its footer is encrypted.
  parquet: /^504152(31|45)/,
} as const

export type ArchiveKind = keyof typeof SIGNATURES

/** Returns the kind of archive by its first bytes, or those after frames that zstd skips; undefined for any other file. */
export function archiveKind(bytes: Uint8Array): ArchiveKind | undefined {
  const start = skippedEnd(bytes)
  const mark = bytes.subarray(start, start + 4)
  const shown = Array.from(mark, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const kinds = Object.keys(SIGNATURES) as ArchiveKind[]
  return kinds.find((kind) => SIGNATURES[kind].test(shown) && (start === 0 || kind === 'zstd'))
}
