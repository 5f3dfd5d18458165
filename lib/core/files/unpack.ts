import { type Problem, ReadError } from '../problem'
import { type ArchiveKind, archiveKind } from './archive-kind'
import type { UnpackBudget } from './byte-sink'
import { gunzip } from './gunzip'
import { unzip } from './unzip'
import { unzstd } from './unzstd'

/** A file as it was packed, or why it could not be had. */
export type UnpackedFile =
  | { readonly name: string; readonly bytes: Uint8Array }
  | { readonly name: string; readonly problem: Problem }

/** A log of logs is two; more is a trap. */
const DEEPEST = 4

/**
 * The files in an archive, archives in it unpacked too; the file itself when it is none.
 * `name` is the file's; a member's begins with its archive's. Never throws for bad bytes: each file says its problem.
 */
export async function unpack(
  name: string,
  bytes: Uint8Array,
  budget: UnpackBudget,
  depth = 0,
): Promise<readonly UnpackedFile[]> {
  const kind = archiveKind(bytes)
  if (kind === undefined) return [{ name, bytes }]
  try {
    if (depth === DEEPEST) throw new ReadError('archive_deep', { member: name, limit: DEEPEST })
    if (kind === 'zip') return await unpackZip(name, bytes, budget, depth)
    const inner = kind === 'gzip' ? gunzip(name, bytes, budget) : unzstd(name, bytes, budget)
    return await unpack(withoutEnding(name, kind), inner, budget, depth + 1)
  } catch (error) {
    if (error instanceof ReadError) return [{ name, problem: error.problem }]
    throw error
  }
}

async function unpackZip(
  name: string,
  bytes: Uint8Array,
  budget: UnpackBudget,
  depth: number,
): Promise<readonly UnpackedFile[]> {
  const members = await unzip(name, bytes, budget)
  if (members.length === 0) throw new ReadError('archive_empty', { kind: 'zip' })
  const files: UnpackedFile[] = []
  for (const member of members) {
    if ('problem' in member) files.push(member)
    else files.push(...(await unpack(member.name, member.bytes, budget, depth + 1)))
  }
  return files
}

/** `run.jsonl.gz` holds `run.jsonl`. */
function withoutEnding(name: string, kind: Exclude<ArchiveKind, 'zip'>): string {
  return name.replace(kind === 'gzip' ? /\.gz(ip)?$/i : /\.zst(d)?$/i, '')
}
