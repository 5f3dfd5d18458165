import { assertReadError, ReadError } from '../problem'
import { archiveKind, type UnpackBudget } from './byte-sink'
import { gunzip, type UnpackedFile, unzip, unzstd } from './decompress'

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
