import { ReadError } from '../problem'

/** What may still be unpacked; shared by all archives opened at once, so that a bomb among them cannot hide. */
export interface UnpackBudget {
  bytesLeft: number
  filesLeft: number
  /** What the budget was at first, for the sentences. */
  readonly bytes: number
  readonly files: number
}

/** More than a whole evaluation's log, few enough bytes for a browser's memory. */
const MAX_UNPACKED_BYTES = 300_000_000

/** More than any list one would look through. */
export const MAX_FILES = 2_000

/** What one budget has already gone for. */
export interface Unpacked {
  readonly bytes: number
  readonly files: number
}

export function createUnpackBudget(
  bytes = MAX_UNPACKED_BYTES,
  files = MAX_FILES,
  taken: Unpacked = { bytes: 0, files: 0 },
): UnpackBudget {
  const left = { bytesLeft: bytes - taken.bytes, filesLeft: Math.max(0, files - taken.files) }
  return { ...left, bytes, files }
}

/** Takes unpacked bytes piece by piece and throws a `ReadError` as soon as they are more than the budget has left. */
export interface ByteSink {
  readonly write: (piece: Uint8Array) => void
  /** All that was written, in one; the budget is charged with it. */
  readonly finish: () => Uint8Array
}

export function createByteSink(member: string, budget: UnpackBudget): ByteSink {
  const pieces: Uint8Array[] = []
  let size = 0
  return {
    write: (piece) => {
      size += piece.length
      if (size > budget.bytesLeft) throw tooLarge(member, budget)
      pieces.push(piece)
    },
    finish: () => {
      budget.bytesLeft -= size
      if (pieces.length === 1) return pieces[0] as Uint8Array
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
