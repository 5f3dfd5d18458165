/**
 * Unpacks zip archives with zip.js, which reads the directory at the end (so deleted and appended files are right) and
 * zip64, and verifies checksums and sizes. Folders are skipped; a broken member does not affect the others.
 */

import {
  configure,
  ERR_BAD_FORMAT,
  ERR_CENTRAL_DIRECTORY_NOT_FOUND,
  ERR_EOCDR_NOT_FOUND,
  type FileEntry,
  registerCodec,
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipReader,
} from '@zip.js/zip.js/lib/zip-core-custom.js'
import { Decompress } from 'fzstd'
import { messageOf, type Problem, ReadError, reasonOf } from '../problem'
import { phrase } from '../words/words'
import { archiveError, tooLarge, type UnpackBudget } from './byte-sink'

configure({ useWebWorkers: false })

/** A file from an archive, or the problem that prevented unpacking it. */
export type UnpackedFile =
  | { readonly name: string; readonly bytes: Uint8Array }
  | { readonly name: string; readonly problem: Problem }

/** Compression method of Inspect's logs, which zip.js does not have. */
const ZSTD_METHOD = 93
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
    throw archiveError('zip', bytes, error, { isCut, missing, expected })
  }
  return members
}

async function readMember(
  name: string,
  entry: FileEntry,
  budget: UnpackBudget,
): Promise<UnpackedFile> {
  const refuse = (...refusal: ConstructorParameters<typeof ReadError>): UnpackedFile => ({
    name,
    problem: new ReadError(...refusal).problem,
  })
  if (entry.encrypted) return refuse('archive_member_encrypted', { member: name })
  if (!READ_METHODS.includes(entry.compressionMethod)) {
    const number = entry.compressionMethod
    const method = phrase('method', {
      name: METHOD_NAMES[number] ?? phrase('unknown_method'),
      n: number,
    })
    return refuse('archive_member_method', { member: name, method })
  }
  if (entry.uncompressedSize > budget.bytesLeft) {
    return { name, problem: tooLarge(name, budget).problem }
  }
  try {
    // The reader stops at the size that the directory names, which is within the budget.
    const unpacked = await entry.getData<Uint8Array>(new Uint8ArrayWriter())
    budget.bytesLeft -= unpacked.length
    return { name, bytes: unpacked }
  } catch (error) {
    const found = reasonOf(error)
    const expected = phrase('data_of_directory')
    return refuse('archive_member_broken', { member: name, kind: 'zip', found, expected })
  }
}

// The core is compiled without DOM and Node types; both have these streams.
declare const TransformStream: new (transformer: object) => object

function ZstdDecompressionStream() {
  const zstd = new Decompress()
  return new TransformStream({
    start: (controller: { enqueue(piece: Uint8Array): void }) => {
      zstd.ondata = (piece) => controller.enqueue(piece)
    },
    transform: (piece: Uint8Array) => zstd.push(piece),
    flush: () => zstd.push(new Uint8Array(0), true),
  })
}

registerCodec({
  compressionMethod: ZSTD_METHOD,
  format: 'zstd',
  DecompressionStream: ZstdDecompressionStream as never,
})
