import { ReadError } from '../problem'

/** The bytes and files that can still be unpacked. All archives opened at once share it, which stops archive bombs. */
export interface UnpackBudget {
  bytesLeft: number
  filesLeft: number
  /** The initial limits, shown in problems. */
  readonly bytes: number
  readonly files: number
}

/** Enough for the log of an evaluation, and small enough for a browser's memory. */
const MAX_UNPACKED_BYTES = 300_000_000

/** Largest number of files in the file list. */
export const MAX_FILES = 2_000

/** The bytes and files that are already unpacked. */
export interface Unpacked {
  readonly bytes: number
  readonly files: number
}

export function createUnpackBudget(
  bytes = MAX_UNPACKED_BYTES,
  files = MAX_FILES,
  unpacked: Unpacked = { bytes: 0, files: 0 },
): UnpackBudget {
  const left = { bytesLeft: bytes - unpacked.bytes, filesLeft: Math.max(0, files - unpacked.files) }
  return { ...left, bytes, files }
}

/** Collects unpacked bytes; throws a `ReadError` as soon as they exceed the budget. */
export interface ByteSink {
  readonly write: (piece: Uint8Array) => void
  /** Returns all bytes and subtracts their number from the budget. */
  readonly finish: () => Uint8Array
}

/** `expected` is the size that the directory of an archive names; that many bytes go directly into one array. */
export function createByteSink(member: string, budget: UnpackBudget, expected = 0): ByteSink {
  const first = new Uint8Array(Math.min(expected, budget.bytesLeft))
  let firstSize = 0
  const others: Uint8Array[] = []
  let size = 0
  return {
    write: (piece) => {
      size += piece.length
      if (size > budget.bytesLeft) throw tooLarge(member, budget)
      if (size > first.length) {
        others.push(piece)
      } else {
        first.set(piece, firstSize)
        firstSize = size
      }
    },
    finish: () => {
      budget.bytesLeft -= size
      if (size === first.length) return first
      const whole = new Uint8Array(size)
      let at = 0
      for (const piece of [first.subarray(0, firstSize), ...others]) {
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
