/**
 * Unpacks gzip (RFC 1952) with fflate, including files with several members, as `cat a.gz b.gz` and log writers make them,
 * and Zstandard (RFC 8878) with fzstd, including files with several frames.
 * fflate does not verify the checksum at the end of each member, so it is verified here; those of Zstandard are not.
 */

import { Gunzip } from 'fflate'
import { Decompress } from 'fzstd'
import { messageOf, ReadError } from '../problem'
import { phrase, type Words } from '../words/words'
import { type ByteSink, createByteSink, type UnpackBudget } from './byte-sink'

/**
 * Bytes unpacked at once, so that a piece cannot fill the memory unnoticed: Deflate expands a byte to at most 1,032, and a
 * block of four bytes of Zstandard can expand to 128 kB.
 */
const PIECE = 16_384

const TRAILER = 8

/** Unpacks a gzip archive; throws a `ReadError` when it is cut off, broken or exceeds the budget. */
export function gunzip(name: string, bytes: Uint8Array, budget: UnpackBudget): Uint8Array {
  const sink = createByteSink(name, budget)
  try {
    inflateMembers(bytes, sink)
  } catch (error) {
    if (error instanceof ReadError) throw error
    if (error instanceof RangeError || isUnexpectedEnd(error)) throw cutOff(bytes)
    throw broken({ name: messageOf(error) })
  }
  return sink.finish()
}

function inflateMembers(bytes: Uint8Array, sink: ByteSink): void {
  let crc = 0
  let size = 0
  const endMember = (end: number) => {
    if (end - TRAILER < 0) throw cutOff(bytes)
    const trailer = new DataView(bytes.buffer, bytes.byteOffset + end - TRAILER, TRAILER)
    // The stored size is modulo 2^32; the budget is far below that.
    const isWhole = trailer.getUint32(0, true) === crc && trailer.getUint32(4, true) === size
    if (!isWhole) throw broken(phrase('checksum_mismatch', { n: end }))
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
    missing: phrase('end_of_data'),
  })
}

function broken(found: Words): ReadError {
  return new ReadError('archive_broken', {
    kind: 'gzip',
    found,
    expected: phrase('undamaged_file'),
  })
}

/** Computes the checksum of gzip and zip (ISO 3309, RFC 1952 section 8); `before` is that of the bytes before these. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8)
  return ~crc >>> 0
}

const TABLE = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

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
      const missing = phrase('end_of_data')
      throw new ReadError('archive_cut', { kind: 'zstd', bytes: bytes.length, missing })
    }
    throw new ReadError('archive_broken', {
      kind: 'zstd',
      found: { name: found },
      expected: phrase('undamaged_file'),
    })
  }
  return sink.finish()
}
