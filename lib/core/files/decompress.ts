/**
 * Unpacks gzip (RFC 1952) with fflate, including files with several members, as `cat a.gz b.gz` and log writers make them,
 * and Zstandard (RFC 8878) with fzstd, including files with several frames.
 * fflate does not verify the checksum at the end of each member, so it is verified here; those of Zstandard are not.
 */

import { Gunzip } from 'fflate'
import { Decompress } from 'fzstd'
import { messageOf, ReadError } from '../problem'
import { phrase } from '../words/words'
import { archiveError, createByteSink, type UnpackBudget } from './byte-sink'

/**
 * Bytes unpacked at once, so that a piece cannot fill the memory unnoticed: Deflate expands a byte to at most 1,032, and a
 * block of four bytes of Zstandard can expand to 128 kB.
 */
const PIECE = 16_384

const TRAILER = 8

interface Stream {
  readonly push: (chunk: Uint8Array, isLast: boolean) => void
}

/** Unpacks a gzip archive; throws a `ReadError` when it is cut off, broken or exceeds the budget. */
export function gunzip(name: string, bytes: Uint8Array, budget: UnpackBudget): Uint8Array {
  let crc = 0
  let size = 0
  const endMember = (end: number) => {
    if (end - TRAILER < 0) throw new RangeError()
    const trailer = new DataView(bytes.buffer, bytes.byteOffset + end - TRAILER, TRAILER)
    // The stored size is modulo 2^32; the budget is far below that.
    const isWhole = trailer.getUint32(0, true) === crc && trailer.getUint32(4, true) === size
    if (!isWhole) {
      const found = phrase('checksum_mismatch', { n: end })
      const expected = phrase('undamaged_file')
      throw new ReadError('archive_broken', { kind: 'gzip', found, expected })
    }
    crc = 0
    size = 0
  }
  return unpackStream('gzip', name, bytes, budget, (write) => {
    const stream = new Gunzip((piece) => {
      crc = crc32(piece, crc)
      size += piece.length
      write(piece)
    })
    stream.onmember = endMember
    return {
      push: (chunk, isLast) => {
        stream.push(chunk, isLast)
        if (isLast) endMember(bytes.length)
      },
    }
  })
}

/** Unpacks a zstd archive; throws a `ReadError` when it is cut off, broken or exceeds the budget. */
export function unzstd(name: string, bytes: Uint8Array, budget: UnpackBudget): Uint8Array {
  return unpackStream('zstd', name, bytes, budget, (write) => new Decompress(write))
}

function unpackStream(
  kind: string,
  name: string,
  bytes: Uint8Array,
  budget: UnpackBudget,
  streamTo: (write: (piece: Uint8Array) => void) => Stream,
): Uint8Array {
  const sink = createByteSink(name, budget)
  const stream = streamTo(sink.write)
  try {
    for (let start = 0; start < bytes.length; start += PIECE) {
      const end = Math.min(start + PIECE, bytes.length)
      stream.push(bytes.subarray(start, end), end === bytes.length)
    }
  } catch (error) {
    const isShort = kind === 'gzip' && error instanceof RangeError
    const isCut = isShort || /unexpected EOF/.test(messageOf(error))
    const [missing, expected] = [phrase('end_of_data'), phrase('undamaged_file')]
    throw archiveError(kind, bytes, error, { isCut, missing, expected })
  }
  return sink.finish()
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
