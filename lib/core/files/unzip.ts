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
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipReader,
} from '@zip.js/zip.js/lib/zip-core-custom.js'
import { messageOf, type Problem, ReadError, reasonOf } from '../problem'
import { phrase, type Words } from '../words/words'
import { archiveError, tooLarge, type UnpackBudget } from './byte-sink'
import { crc32, unzstd } from './decompress'

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

async function readMember(
  name: string,
  entry: FileEntry,
  budget: UnpackBudget,
): Promise<UnpackedFile> {
  const refuse = (...refusal: ConstructorParameters<typeof ReadError>): UnpackedFile => ({
    name,
    problem: new ReadError(...refusal).problem,
  })
  const broken = (found: Words, expected = phrase('data_of_directory')) =>
    refuse('archive_member_broken', { member: name, kind: 'zip', found, expected })
  if (LEADS_OUT.test(entry.filename)) return broken(phrase('name_leads_out'), phrase('name_within'))
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
