/** Zstandard (RFC 8878), by fzstd; several frames one after the other are one text. Its check sums are not verified. */
import { Decompress } from 'fzstd'
import { ReadError } from '../problem'
import { createByteSink, type UnpackBudget } from './byte-sink'

/** A block of four bytes can stand for 128 kB: a piece is measured block by block, and small all the same. */
const PIECE = 16_384

/** What a zstd archive holds; a `ReadError` for one that is cut off, broken, or larger than the budget allows. */
export function unzstd(name: string, bytes: Uint8Array, budget: UnpackBudget): Uint8Array {
  const sink = createByteSink(name, budget)
  const stream = new Decompress((piece) => sink.write(piece))
  try {
    for (let start = 0; start < bytes.length; start += PIECE) {
      const end = Math.min(start + PIECE, bytes.length)
      stream.push(bytes.subarray(start, end), end === bytes.length)
    }
  } catch (error) {
    if (error instanceof ReadError) throw error
    const found = error instanceof Error ? error.message : String(error)
    if (/unexpected EOF/.test(found)) {
      const missing = 'the end of its data'
      throw new ReadError('archive_cut', { kind: 'zstd', bytes: bytes.length, missing })
    }
    throw new ReadError('archive_broken', { kind: 'zstd', found, expected: 'an undamaged file' })
  }
  return sink.finish()
}
