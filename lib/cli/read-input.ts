import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createUnpackBudget } from '../core/files/byte-sink'
import { type UnpackedFile, unpack } from '../core/files/unpack'
import { recogniseCopiedRequests } from '../core/formats/network/recognise-copied-requests'
import { type ReadDocument, readDocument } from '../core/formats/read-document'
import { describeProblem, problemOfReading, ReadError } from '../core/problem'
import { decodeUtf8 } from '../core/text/decode-utf8'
import { type ParsedFlags, UsageError } from './parse-flags'

const STANDARD_INPUT = '-'

/** The sources that a command reads: a folder that file names are relative to, and standard input. */
export interface InputContext {
  readonly folder: string
  readonly readStandardInput: () => Promise<Uint8Array>
}

/** The one file that a command line names; a `UsageError` if it names none or several. */
export function fileArgument({ positionals }: ParsedFlags): string {
  const [name, ...more] = positionals
  if (name === undefined)
    throw new UsageError('Which file? Name one file, or - for standard input; --help says more.')
  if (more.length > 0) throw new UsageError(`One file at a time: found ${positionals.join(', ')}.`)
  return name
}

/** Reads and decompresses a text file, or standard input for `-`. Throws a `UsageError` if that fails. */
export async function readText(name: string, context: InputContext): Promise<string> {
  const files = await readFiles(name, name, context)
  const [file, ...more] = files
  if (file === undefined || more.length > 0) {
    const named = files.map((member) => member.name).join(', ')
    throw new UsageError(`${name} holds ${files.length} files; expected one. They are ${named}.`)
  }
  return textOf({ ...file, name })
}

/** The files in an archive, or the file itself if it is not an archive. Names begin with `name`. */
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

/** Decodes a file as text. Throws a `UsageError` if it is not text. */
export function textOf(file: UnpackedFile): string {
  return withName(file.name, () => {
    if ('problem' in file) throw new ReadError(file.problem.code, file.problem.values)
    return decodeUtf8(file.bytes)
  })
}

/**
 * Reads a text as a document, as `readTextOrBody` does, and warns of its problems.
 * A `UsageError` names the file, the place and what was expected.
 */
export function readConversations(
  name: string,
  text: string,
  warn: (sentence: string) => void,
): ReadDocument {
  const document = withName(name, () => readTextOrBody(name, text, warn))
  for (const problem of document.problems) warn(`${name}: ${describeProblem(problem)}`)
  return document
}

/** Reads a text as a document; of requests copied as cURL or fetch it reads the JSON bodies, and warns of that. */
export function readTextOrBody(
  name: string,
  text: string,
  warn: (sentence: string) => void,
): ReadDocument {
  const copied = recogniseCopiedRequests(text)
  if (copied?.body === undefined) return readDocument(text)
  const { kind, count, place, body } = copied
  const document = readDocument(body)
  warn(
    count === 1
      ? `${name}: the JSON body of the ${kind} (${place}) is read.`
      : `${name}: the JSON bodies of ${count} ${kind}s are read, one a line.`,
  )
  return document
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
    const sentence = describeProblem(problemOfReading(error))
    throw new UsageError(`${name === STANDARD_INPUT ? 'Standard input' : name}: ${sentence}`)
  }
}
