/** The files of the command line: plain, packed, or rows of Parquet. */
import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  AGENT_START_BYTES,
  groupAgents,
  isAgentFile,
  sessionOfAgent,
} from '../core/files/agent-files'
import { archiveKind, MAX_FILES, NEVER_ENTERED } from '../core/files/byte-sink'
import type { UnpackedFile } from '../core/files/unpack'
import { UsageError } from './flags'
import { unpackInThread } from './unpack-in-thread'

export const STANDARD_INPUT = '-'
const MARK_BYTES = 4

/** The sources that a command reads: a folder that file names are relative to, and standard input. */
export interface InputContext {
  readonly folder: string
  readonly readStandardInput: () => Promise<Uint8Array>
}

/** `isOnly`: there is no other in its archive. */
export type FoundFile = UnpackedFile & { readonly isOnly: boolean }

/** All files that `readFiles` finds; of Parquet files at most as many rows as the file list has. */
export async function allFiles(name: string, context: InputContext): Promise<FoundFile[]> {
  const files: FoundFile[] = []
  for await (const file of readFiles(name, name, context, MAX_FILES)) files.push(file)
  return files
}

/** The files in an archive, or the file itself if it is not an archive. Names begin with `name`. */
export async function* readFiles(
  name: string,
  path: string,
  context: InputContext,
  mostRows = Number.POSITIVE_INFINITY,
): AsyncGenerator<FoundFile> {
  const files =
    path === STANDARD_INPUT
      ? filesIn(name, await context.readStandardInput(), mostRows)
      : filesAt(name, resolve(context.folder, path), mostRows)
  let isOnly: boolean | undefined
  let next = await files.next()
  while (!next.done) {
    const file = next.value
    next = await files.next()
    isOnly ??= next.done === true
    yield { ...file, isOnly }
  }
}

/** Of a Parquet file, one group of rows is in memory at a time. */
async function* filesAt(name: string, path: string, mostRows: number) {
  const file = withSentence(name, () => openSync(path, 'r'))
  try {
    const mark = new Uint8Array(MARK_BYTES)
    // A pipe cannot be read from a place.
    if (fstatSync(file).isFile()) readSync(file, mark, 0, MARK_BYTES, 0)
    if (archiveKind(mark) === 'parquet')
      yield* unpackInThread({ kind: 'Parquet', name, source: path, mostRows })
    else
      yield* filesIn(
        name,
        withSentence(name, () => readFileSync(file)),
        mostRows,
      )
  } finally {
    closeSync(file)
  }
}

async function* filesIn(name: string, bytes: Uint8Array, mostRows: number) {
  const kind = archiveKind(bytes)
  if (kind === undefined) yield { name, bytes }
  else yield* unpackInThread({ kind, name, source: bytes, mostRows })
}

function withSentence<Value>(name: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT') throw new UsageError(`There is no file ${name}.`)
    if (code === 'EISDIR') throw new UsageError(`${name} is a folder; expected a file.`)
    throw new UsageError(`${name} cannot be read (${code ?? String(error)}).`)
  }
}

const SAMPLES = fileURLToPath(new URL('../../public/samples/', import.meta.url))

/** Matches the names of files that can contain transcripts, including compressed files. */
const TRANSCRIPT_NAMES = /\.(?:(?:jsonl?|traj|har)(?:\.gz|\.zst)?|zip|eval|parquet)$/

/** A file to measure. */
export type BenchFile = Readonly<ReturnType<typeof benchFilesIn>[number]>

/** The named files and the files in named folders, at any depth; without names, the samples of the project, which the package lacks. */
export function benchFiles(names: readonly string[], { folder }: InputContext): BenchFile[] {
  if (names.length === 0) {
    if (isFolder(SAMPLES)) return benchFilesIn(SAMPLES, '', transcriptsIn(SAMPLES, false))
    throw new UsageError('Name at least one file or folder.')
  }
  return names.flatMap((name) => {
    const path = resolve(folder, name)
    if (!isFolder(path)) return [{ path: name, name, isNamed: true, agents: [] }]
    const found = benchFilesIn(path, name, transcriptsIn(path, true))
    if (found.length > 0) return found
    throw new UsageError(`${name} has no .json or .jsonl file in it, packed or not.`)
  })
}

/** The paths of transcripts in a folder. */
function transcriptsIn(folder: string, isDeep: boolean): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const { name } = entry
      if (!entry.isDirectory())
        return TRANSCRIPT_NAMES.test(name) && name !== 'index.json' ? [name] : []
      if (!isDeep || NEVER_ENTERED.includes(name)) return []
      return transcriptsIn(join(folder, name), true).map((file) => join(name, file))
    })
    .sort()
}

/** The files to measure; those of sub-agents are a part of the file of their session. */
function benchFilesIn(folder: string, name: string, files: readonly string[]) {
  const pathOf = (file: string) => file.replaceAll(sep, '/')
  const sessionOf = (file: string) =>
    isAgentFile(pathOf(file))
      ? sessionOfAgent(pathOf(file), startOf(join(folder, file)))
      : undefined
  return groupAgents(files, pathOf, sessionOf).map(({ file, agents }) => ({
    /** The path to open, and the name to print. */
    path: join(folder, file),
    name: join(name, file),
    /** True if the user named the file; it must then be a transcript. Files found in a folder are skipped if not. */
    isNamed: false,
    /** Paths of the transcripts of its sub-agents, which are read as a part of it. */
    agents: agents.map((agent) => join(folder, agent)),
  }))
}

function startOf(path: string): string {
  const bytes = Buffer.alloc(AGENT_START_BYTES)
  const opened = openSync(path, 'r')
  const length = readSync(opened, bytes)
  closeSync(opened)
  return bytes.toString('latin1', 0, length)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
