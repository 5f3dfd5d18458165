import { readdirSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { InputContext } from './read-input'
import { UsageError } from './usage-error'

const SAMPLES = fileURLToPath(new URL('../../public/samples/', import.meta.url))

/** Of a folder's files, those that may be transcripts, packed ones included. */
const TRANSCRIPT_NAMES = /\.(?:(?:jsonl?|traj|har)(?:\.gz|\.zst)?|zip|eval)$/

/** A file to measure. */
export interface BenchFile {
  /** As it is opened, and as it is printed. */
  readonly path: string
  readonly name: string
  /** One found in a folder may be no transcript, and is then left out; one that is named may not. */
  readonly isNamed: boolean
}

/** The files named, those in the folders named, or without any the samples of the project. */
export function benchFiles(names: readonly string[], { folder }: InputContext): BenchFile[] {
  if (names.length === 0) return filesIn(SAMPLES, (file) => file)
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
