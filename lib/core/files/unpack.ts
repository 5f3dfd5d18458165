import { assertReadError, ReadError } from '../problem'
import type { UnpackBudget } from './byte-sink'
import { gunzip, type UnpackedFile, unzip, unzstd } from './decompress'

/** First bytes of archives, in hexadecimal. Names are not used, since a browser can rename or unpack a file. */
const SIGNATURES = {
  gzip: /^1f8b08/,
  // A zip with files in it, and an empty one.
  zip: /^504b(0304|0506)/,
  zstd: /^28b52ffd/,
  // PAR1, and PARE where its footer is encrypted.
  parquet: /^504152(31|45)/,
} as const

export type ArchiveKind = keyof typeof SIGNATURES

/** Returns the kind of archive by its first bytes; undefined for any other file. */
export function archiveKind(bytes: Uint8Array): ArchiveKind | undefined {
  const start = Array.from(bytes.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0'))
  const kinds = Object.keys(SIGNATURES) as ArchiveKind[]
  return kinds.find((kind) => SIGNATURES[kind].test(start.join('')))
}

export type { UnpackedFile } from './decompress'

/** Greatest number of archives inside one another. */
const MAX_DEPTH = 4

/**
 * Returns the files of an archive, including those of archives in it; any other file is returned as it is, Parquet files
 * too, whose rows `openParquet` reads.
 * The name of a member starts with that of its archive. Bad bytes never throw: the file has a problem instead.
 */
export async function unpack(
  name: string,
  bytes: Uint8Array,
  budget: UnpackBudget,
  depth = 0,
): Promise<readonly UnpackedFile[]> {
  const kind = archiveKind(bytes)
  if (kind === undefined || kind === 'parquet') return [{ name, bytes }]
  try {
    if (depth === MAX_DEPTH) throw new ReadError('archive_deep', { member: name, limit: MAX_DEPTH })
    if (kind !== 'zip') {
      const inner = kind === 'gzip' ? gunzip(name, bytes, budget) : unzstd(name, bytes, budget)
      // `run.jsonl.gz` contains `run.jsonl`.
      const innerName = name.replace(kind === 'gzip' ? /\.gz(ip)?$/i : /\.zst(d)?$/i, '')
      return await unpack(innerName, inner, budget, depth + 1)
    }
    const members = await unzip(name, bytes, budget)
    if (members.length === 0) throw new ReadError('archive_empty', { kind })
    const files: UnpackedFile[] = []
    for (const member of members) {
      if ('problem' in member) files.push(member)
      else files.push(...(await unpack(member.name, member.bytes, budget, depth + 1)))
    }
    return files
  } catch (error) {
    assertReadError(error)
    return [{ name, problem: error.problem }]
  }
}
