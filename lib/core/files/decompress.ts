/**
 * Unpacks gzip (RFC 1952) with fflate, including files with several members, as `cat a.gz b.gz` and log writers make them,
 * and Zstandard (RFC 8878) with fzstd, including files with several frames.
 * fflate does not verify the checksum at the end of each member, so it is verified here; those of Zstandard are not.
 */

import { Gunzip } from 'fflate'
import { Decompress } from 'fzstd'
import { messageOf, ReadError } from '../problem'
import { phrase } from '../words/words'
import { archiveError, createByteSink, tooLarge, type UnpackBudget } from './byte-sink'

/**
 * Bytes unpacked at once, so that a piece cannot fill the memory unnoticed: Deflate expands a byte to at most 1,032, and a
 * block of four bytes of Zstandard can expand to 128 kB.
 */
const PIECE = 16_384

const TRAILER = 8

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
  return unpackStream('zstd', name, bytes, budget, (write) => {
    checkWindows(name, bytes, budget)
    return new Decompress(write)
  })
}

/** fzstd allocates the window that a frame states. */
const MOST_WINDOW_BYTES = 2 ** 27
/** fzstd moves its window with each block: the sum over all blocks. */
const MOST_MOVED_BYTES = 2e10

function checkWindows(name: string, bytes: Uint8Array, budget: UnpackBudget): void {
  const number = (at: number, count: number) =>
    Array.from({ length: count }, (_, byte) => (bytes[at + byte] ?? 0) * 256 ** byte).reduce(
      (sum, part) => sum + part,
      0,
    )
  let moved = 0
  for (let at = 0; at + 5 < bytes.length; ) {
    const magic = number(at, 4)
    if (magic !== 0xfd2fb528) {
      // A frame to skip, or the end of what can be read.
      if (magic >>> 4 !== 0x184d2a5) return
      at += 8 + number(at + 4, 4)
      continue
    }
    const flags = number(at + 4, 1)
    const isSingle = (flags >> 5) & 1
    const sizeBytes = flags >> 6 === 0 ? isSingle : 1 << (flags >> 6)
    const sizeAt = at + 6 - isSingle + ((flags & 3) === 3 ? 4 : flags & 3)
    const exponent = number(at + 5, 1)
    const window = isSingle
      ? number(sizeAt, sizeBytes) + (sizeBytes === 2 ? 256 : 0)
      : 2 ** (10 + (exponent >> 3)) * (1 + (exponent & 7) / 8)
    if (window > Math.max(MOST_WINDOW_BYTES, budget.bytesLeft)) throw tooLarge(name, budget)
    at = sizeAt + sizeBytes
    for (let isLast = 0; isLast === 0 && at < bytes.length; ) {
      const header = number(at, 3)
      isLast = header & 1
      at += 3 + ((header & 6) === 2 ? 1 : header >> 3)
      moved += window
    }
    if (moved > MOST_MOVED_BYTES) throw tooLarge(name, budget)
    at += flags & 4
  }
}

function unpackStream(
  kind: string,
  name: string,
  bytes: Uint8Array,
  budget: UnpackBudget,
  streamTo: (write: (piece: Uint8Array) => void) => Pick<Decompress, 'push'>,
): Uint8Array {
  const sink = createByteSink(name, budget)
  try {
    const stream = streamTo(sink.write)
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
