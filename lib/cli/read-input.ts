import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createUnpackBudget } from '../core/files/byte-sink'
import { type UnpackedFile, unpack } from '../core/files/unpack'
import type { ReadDocument } from '../core/formats/read-document'
import { type ReadOrTaken, readOrTakeBody } from '../core/formats/read-or-take-body'
import { describeProblem, ReadError } from '../core/problem'
import { decodeUtf8 } from '../core/text/decode-utf8'
import { UsageError } from './usage-error'

const STANDARD_INPUT = '-'

/** What a command reads from: the folder names are relative to, and standard input's bytes. */
export interface InputContext {
  readonly folder: string
  readonly readStandardInput: () => Promise<Uint8Array>
}

/** The text of a file, or of standard input for `-`, unpacked; a `UsageError` says why it cannot be had. */
export async function readText(name: string, context: InputContext): Promise<string> {
  const files = await readFiles(name, name, context)
  const [file, ...more] = files
  if (file === undefined || more.length > 0) {
    const named = files.map((member) => member.name).join(', ')
    throw new UsageError(`${name} holds ${files.length} files; expected one. They are ${named}.`)
  }
  return textOf({ ...file, name })
}

/** The files packed in a file, named after `name`; the file itself when it is no archive. */
export async function readFiles(
  name: string,
  path: string,
  context: InputContext,
): Promise<readonly UnpackedFile[]> {
  const bytes =
    path === STANDARD_INPUT
      ? await context.readStandardInput()
      : readFileBytes(name, resolve(context.folder, path))
  return unpack(name, bytes, createUnpackBudget())
}

/** The text of one of them; a `UsageError` says why it has none. */
export function textOf(file: UnpackedFile): string {
  return withName(file.name, () => {
    if ('problem' in file) throw new ReadError(file.problem.code, file.problem.values)
    return decodeUtf8(file.bytes)
  })
}

/**
 * Reads a text as a document, requests copied as cURL or fetch as their JSON bodies, and says what was left alone.
 * A `UsageError` names the file, the place and what was expected.
 */
export function readConversations(
  name: string,
  text: string,
  warn: (sentence: string) => void,
): ReadDocument {
  const { document, taken } = withName(name, () => readOrTakeBody(text))
  if (taken !== undefined) warn(`${name}: ${describeTaken(taken)}`)
  for (const problem of document.problems) warn(`${name}: ${describeProblem(problem)}`)
  return document
}

/** What a document stands for that was taken out of a text. */
export function describeTaken({ kind, count, place }: NonNullable<ReadOrTaken['taken']>): string {
  return count === 1
    ? `the JSON body of the ${kind} (${place}) is read.`
    : `the JSON bodies of ${count} ${kind}s are read, one a line.`
}

function readFileBytes(name: string, path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT') throw new UsageError(`There is no file ${name}.`)
    if (code === 'EISDIR') throw new UsageError(`${name} is a folder; expected a file.`)
    throw new UsageError(`${name} cannot be read (${code ?? String(error)}).`)
  }
}

function withName<Value>(name: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ReadError)) throw error
    throw new UsageError(`${name === STANDARD_INPUT ? 'Standard input' : name}: ${error.message}`)
  }
}
