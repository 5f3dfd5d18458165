/** Unpacks Zstandard (RFC 8878) with fzstd, including files with several frames. Checksums are not verified. */
import { Decompress } from 'fzstd'
import { messageOf, ReadError } from '../problem'
import { createByteSink, type UnpackBudget } from './byte-sink'

/** Bytes unpacked at once. A block of four bytes can expand to 128 kB, so pieces are small. */
const PIECE = 16_384

/** Unpacks a zstd archive; throws a `ReadError` when it is cut off, broken or exceeds the budget. */
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
    const found = messageOf(error)
    if (/unexpected EOF/.test(found)) {
      const missing = 'the end of its data'
      throw new ReadError('archive_cut', { kind: 'zstd', bytes: bytes.length, missing })
    }
    throw new ReadError('archive_broken', { kind: 'zstd', found, expected: 'an undamaged file' })
  }
  return sink.finish()
}
