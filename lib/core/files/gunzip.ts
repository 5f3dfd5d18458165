/**
 * Gzip (RFC 1952), several members one after the other included, as `cat a.gz b.gz` and many log writers make it.
 * The unpacking is fflate's, which leaves the check sums at the end of each member to its caller.
 */
import { Gunzip } from 'fflate'
import { ReadError } from '../problem'
import { type ByteSink, createByteSink, type UnpackBudget } from './byte-sink'
import { crc32 } from './crc32'

/** A byte of deflate holds at most 1,032: a piece of this size is measured before it can fill the memory. */
const PIECE = 16_384

const TRAILER = 8

/** What a gzip archive holds; a `ReadError` for one that is cut off, broken, or larger than the budget allows. */
export function gunzip(name: string, bytes: Uint8Array, budget: UnpackBudget): Uint8Array {
  const sink = createByteSink(name, budget)
  try {
    inflateMembers(bytes, sink)
  } catch (error) {
    if (error instanceof ReadError) throw error
    if (error instanceof RangeError || isUnexpectedEnd(error)) throw cutOff(bytes)
    throw broken(error instanceof Error ? error.message : String(error))
  }
  return sink.finish()
}

function inflateMembers(bytes: Uint8Array, sink: ByteSink): void {
  let crc = 0
  let size = 0
  const endMember = (end: number) => {
    if (end - TRAILER < 0) throw cutOff(bytes)
    const trailer = new DataView(bytes.buffer, bytes.byteOffset + end - TRAILER, TRAILER)
    // The size is kept modulo 2^32; the budget is far below that.
    const isWhole = trailer.getUint32(0, true) === crc && trailer.getUint32(4, true) === size
    if (!isWhole) throw broken(`the check sum before byte ${end} does not match`)
    crc = 0
    size = 0
  }
  const stream = new Gunzip((piece) => {
    crc = crc32(piece, crc)
    size += piece.length
    sink.write(piece)
  })
  stream.onmember = endMember
  for (let start = 0; start < bytes.length; start += PIECE) {
    const end = Math.min(start + PIECE, bytes.length)
    stream.push(bytes.subarray(start, end), end === bytes.length)
  }
  endMember(bytes.length)
}

function isUnexpectedEnd(error: unknown): boolean {
  return error instanceof Error && /unexpected EOF/.test(error.message)
}

function cutOff(bytes: Uint8Array): ReadError {
  return new ReadError('archive_cut', {
    kind: 'gzip',
    bytes: bytes.length,
    missing: 'the end of its data',
  })
}

function broken(found: string): ReadError {
  return new ReadError('archive_broken', { kind: 'gzip', found, expected: 'an undamaged file' })
}
