import { readdirSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from './parse-flags'
import type { InputContext } from './read-files'

const SAMPLES = fileURLToPath(new URL('../../public/samples/', import.meta.url))

/** Matches the names of files that can contain transcripts, including compressed files. */
const TRANSCRIPT_NAMES = /\.(?:(?:jsonl?|traj|har)(?:\.gz|\.zst)?|zip|eval|parquet)$/

/** A file to measure. */
export interface BenchFile {
  /** The path to open, and the name to print. */
  readonly path: string
  readonly name: string
  /** True if the user named the file; it must then be a transcript. Files found in a folder are skipped if not. */
  readonly isNamed: boolean
}

/** The named files and the files in named folders; without names, the samples of the project, which the package lacks. */
export function benchFiles(names: readonly string[], { folder }: InputContext): BenchFile[] {
  if (names.length === 0) {
    if (isFolder(SAMPLES)) return filesIn(SAMPLES, (file) => file)
    throw new UsageError('Name at least one file or folder.')
  }
  return names.flatMap((name) => {
    if (!isFolder(resolve(folder, name))) return [{ path: name, name, isNamed: true }]
    const found = filesIn(resolve(folder, name), (file) => join(name, file))
    if (found.length > 0) return found
    throw new UsageError(`${name} has no .json or .jsonl file in it, packed or not.`)
  })
}

function filesIn(folder: string, nameOf: (file: string) => string): BenchFile[] {
  return readdirSync(folder)
    .filter((file) => TRANSCRIPT_NAMES.test(file) && file !== 'index.json')
    .sort()
    .map((file) => ({ path: join(folder, file), name: nameOf(basename(file)), isNamed: false }))
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
