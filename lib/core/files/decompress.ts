/**
 * Unpacks gzip (RFC 1952) with fflate, including files with several members, as `cat a.gz b.gz` and log writers make them,
 * and Zstandard (RFC 8878) with fzstd, including files with several frames.
 * fflate does not verify the checksum at the end of each member, so it is verified here; those of Zstandard are not.
 */

import {
  configure,
  ERR_BAD_FORMAT,
  ERR_CENTRAL_DIRECTORY_NOT_FOUND,
  ERR_EOCDR_NOT_FOUND,
  type FileEntry,
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipReader,
} from '@zip.js/zip.js/lib/zip-core-custom.js'
import { Gunzip } from 'fflate'
import { Decompress } from 'fzstd'
import { messageOf, type Problem, ReadError, reasonOf } from '../problem'
import { skippedEnd } from '../text/decode-utf8'
import { phrase, type Words } from '../words/words'
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
    bytes.subarray(at, at + count).reduceRight((sum, byte) => sum * 256 + byte, 0)
  let moved = 0
  for (let at = skippedEnd(bytes); at + 5 < bytes.length; at = skippedEnd(bytes, at)) {
    // The end of what can be read.
    if (number(at, 4) !== 0xfd2fb528) return
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

/**
 * Unpacks zip archives with zip.js, which reads the directory at the end (so deleted and appended files are right) and
 * zip64, and verifies checksums and sizes. Folders are skipped; a broken member does not affect the others.
 */

configure({ useWebWorkers: false })

/** A file from an archive, or the problem that prevented unpacking it. */
export type UnpackedFile =
  | { readonly name: string; readonly bytes: Uint8Array }
  | { readonly name: string; readonly problem: Problem }

/** Compression method of Inspect's logs, which zip.js does not have. */
const ZSTD_METHOD = 93
/** An absolute name, or one with a step to the folder above. */
const LEADS_OUT = /^[\\/]|^[a-z]:|(^|[\\/])\.\.([\\/]|$)/i

const READ_METHODS: readonly number[] = [0, 8, ZSTD_METHOD]

/** Compression methods, named as in section 4.4.5 of the zip specification. */
const METHOD_NAMES: Readonly<Record<number, string>> = {
  1: 'shrink',
  6: 'implode',
  9: 'deflate64',
  12: 'bzip2',
  14: 'LZMA',
  95: 'XZ',
  96: 'JPEG',
  98: 'PPMd',
}

/** Errors of an archive that starts as a zip but has no directory at its end. */
const NO_DIRECTORY = [ERR_BAD_FORMAT, ERR_EOCDR_NOT_FOUND, ERR_CENTRAL_DIRECTORY_NOT_FOUND]

/**
 * Returns the files of a zip archive in its order, as many as the budget allows; names start with that of the archive.
 * Throws a `ReadError` when the directory of the archive cannot be read.
 */
export async function unzip(
  name: string,
  bytes: Uint8Array,
  budget: UnpackBudget,
): Promise<readonly UnpackedFile[]> {
  const reader = new ZipReader(new Uint8ArrayReader(bytes), {
    checkCrc32: true,
    checkOverlappingEntry: true,
    filenameValidation: 'tolerant',
  })
  const members: UnpackedFile[] = []
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      if (entry.directory) continue
      if (budget.filesLeft === 0) {
        const { problem } = new ReadError('archive_many', { name, limit: budget.files })
        members.push({ name, problem })
        break
      }
      budget.filesLeft--
      members.push(await readMember(`${name}/${entry.filename}`, entry, budget))
    }
  } catch (error) {
    const isCut = NO_DIRECTORY.includes(messageOf(error))
    const [missing, expected] = [phrase('directory_at_end'), phrase('directory_of_files')]
    const found = archiveError('zip', bytes, error, { isCut, missing, expected })
    if (members.length === 0) throw found
    members.push({ name, problem: found.problem })
  }
  return members
}

async function readMember(name: string, entry: FileEntry, budget: UnpackBudget) {
  const refuse = (...refusal: ConstructorParameters<typeof ReadError>): UnpackedFile => ({
    name,
    problem: new ReadError(...refusal).problem,
  })
  const broken = (found: Words, expected = phrase('data_of_directory')) =>
    refuse('archive_member_broken', { member: name, kind: 'zip', found, expected })
  if (LEADS_OUT.test(entry.filename)) return broken(phrase('name_leads_out'), phrase('name_within'))
  if (entry.encrypted) return refuse('archive_member_encrypted', { member: name })
  if (!READ_METHODS.includes(entry.compressionMethod)) {
    const n = entry.compressionMethod
    const method = phrase('method', { name: METHOD_NAMES[n] ?? phrase('unknown_method'), n })
    return refuse('archive_member_method', { member: name, method })
  }
  if (entry.uncompressedSize > budget.bytesLeft) {
    return { name, problem: tooLarge(name, budget).problem }
  }
  try {
    // The reader stops at the size that the directory names, which is within the budget.
    const passThrough = entry.compressionMethod === ZSTD_METHOD
    const data = await entry.getData<Uint8Array>(new Uint8ArrayWriter(), { passThrough })
    if (!passThrough) {
      budget.bytesLeft -= data.length
      return { name, bytes: data }
    }
    const bytes = unzstd(name, data, budget)
    if (bytes.length === entry.uncompressedSize && crc32(bytes) === entry.crc32)
      return { name, bytes }
    throw new Error('Invalid CRC32')
  } catch (error) {
    return error instanceof ReadError ? { name, problem: error.problem } : broken(reasonOf(error))
  }
}
