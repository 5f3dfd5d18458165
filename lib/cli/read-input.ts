import type { UnpackedFile } from '../core/files/unpack'
import type { CopiedRequests } from '../core/formats/network/recognise-copied-requests'
import { recogniseCopiedRequests } from '../core/formats/network/recognise-copied-requests'
import type { FormatId, ReadDocument } from '../core/formats/read-document'
import { FORMATS, readDocument } from '../core/formats/read-document'
import { problemOfReading, ReadError } from '../core/problem'
import { offerRepair } from '../core/repair/repair-source'
import { decodeUtf8 } from '../core/text/decode-utf8'
import { indexLines, positionAt } from '../core/text/lines'
import { applyEdits, type Edit } from '../core/text/span'
import { describeProblem, inEnglish } from '../core/words/english'
import { phrase } from '../core/words/words'
import { flagsOf, type ParsedFlags, UsageError } from './flags'
import { allFiles, type InputContext, STANDARD_INPUT } from './read-files'
import texts from './texts.json' with { type: 'json' }

const IDS = FORMATS.map(({ id }) => id).join(', ')

const REPAIR_JSON = 'repair-json'

/** Flags on how the input is read. */
export const READ_FLAGS = flagsOf(texts.reading.flags, { ids: IDS })

/** How the input is read: what `READ_FLAGS` say. */
export interface ReadChoice {
  readonly format?: FormatId | undefined
  readonly isRepaired?: boolean
}

export function readChoice(flags: ParsedFlags): ReadChoice {
  return { format: formatFrom(flags), isRepaired: flags.isOn(REPAIR_JSON) }
}

/** The format of `--format`. Throws a `UsageError` for an unknown one. */
function formatFrom(flags: ParsedFlags): FormatId | undefined {
  const id = flags.text('format')
  const format = FORMATS.find((one) => one.id === id)
  if (id === undefined || format !== undefined) return format?.id
  throw new UsageError(`--format is "${id}"; expected one of ${IDS}.`)
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
  const files = await allFiles(name, context)
  const [file, ...more] = files
  if (file === undefined || more.length > 0) {
    const named = files.map((member) => member.name).join(', ')
    throw new UsageError(`${name} holds ${files.length} files; expected one. They are ${named}.`)
  }
  return textOf({ ...file, name })
}

/** The one transcript that a command line names, in a file or alone in an archive; warns of its problems. */
export async function readOneTranscript(
  flags: ParsedFlags,
  context: InputContext & { readonly warn: (sentence: string) => void },
): Promise<{ readonly name: string; readonly document: ReadDocument }> {
  const name = fileArgument(flags)
  const choice = readChoice(flags)
  const files = await allFiles(name, context)
  const isAlone = files.length === 1
  const transcripts = isAlone ? files : files.filter((file) => isTranscript(file, choice))
  const [found, ...others] = transcripts
  if (found === undefined || others.length > 0) {
    const named = (transcripts.length === 0 ? files : transcripts).map((file) => file.name)
    throw new UsageError(
      `${name} holds ${files.length} files, ${transcripts.length} of them transcripts; expected one. They are ${named.join(', ')}.`,
    )
  }
  const own = isAlone ? name : found.name
  if (!isAlone) context.warn(`${own} is read, the only transcript of ${files.length} files.`)
  const text = textOf({ ...found, name: own })
  return { name: own, document: readConversations(own, text, context.warn, choice) }
}

function isTranscript(file: UnpackedFile, choice: ReadChoice): boolean {
  try {
    readConversations(file.name, textOf(file), () => {}, choice)
    return true
  } catch (error) {
    if (error instanceof UsageError) return false
    throw error
  }
}

/** Decodes a file as text. Throws a `UsageError` if it is not text. */
export function textOf(file: UnpackedFile): string {
  return withName(file.name, () => {
    if ('problem' in file) throw new ReadError(file.problem.code, file.problem.values)
    return decodeUtf8(file.bytes)
  })
}

/**
 * Reads a text as a document, as `readTextOrBody` does, and warns of its problems. One that is nearly JSON is repaired
 * only if that was chosen. A `UsageError` names the file, the place and what was expected.
 */
export function readConversations(
  name: string,
  text: string,
  warn: (sentence: string) => void,
  { format, isRepaired = false }: ReadChoice = {},
): ReadDocument {
  const document = withName(name, () => {
    try {
      return readTextOrBody(name, text, warn, format)
    } catch (error) {
      const problem = problemOfReading(error)
      const read = (repaired: string) => readDocument(repaired, { format })
      const fixes = offerRepair(text, problem, read, () => performance.now())
      if (fixes === undefined) throw error
      const edits = describeEdits(text, fixes)
      if (isRepaired) {
        warn(`${name}: it is nearly JSON, and read after ${edits}.`)
        const lost = fixes.filter(({ risk }) => risk === 'loss')
        if (lost.length > 0)
          warn(`${name}: data may be missing after ${describeEdits(text, lost)}.`)
        return read(applyEdits(text, fixes))
      }
      const file = name === STANDARD_INPUT ? 'Standard input' : name
      throw new UsageError(
        `${file}: ${describeProblem(problem)} With --${REPAIR_JSON} it is read after ${edits}.`,
      )
    }
  })
  for (const problem of document.problems) warn(`${name}: ${describeProblem(problem)}`)
  return document
}

const MOST_EDITS = 5

function describeEdits(text: string, fixes: readonly Edit[]): string {
  const lines = indexLines(text)
  const quoted = (part: string) => JSON.stringify(part.length > 40 ? `${part.slice(0, 40)}…` : part)
  const edits = fixes.slice(0, MOST_EDITS).map(({ start, end, text: inserted }) => {
    const removed = quoted(text.slice(start, end))
    const change =
      inserted === ''
        ? `${removed} removed`
        : start === end
          ? `${quoted(inserted)} inserted`
          : `${removed} replaced by ${quoted(inserted)}`
    return `line ${positionAt(lines, start).line}: ${change}`
  })
  const more = fixes.length - edits.length
  const count = fixes.length === 1 ? '1 edit' : `${fixes.length} edits`
  return `${count} (${edits.join('; ')}${more > 0 ? `; and ${more} more` : ''})`
}

/**
 * Reads a text as a document; of requests copied as cURL or fetch it reads the JSON bodies, of streamed answers the
 * messages that they make, and warns of that.
 */
export function readTextOrBody(
  name: string,
  text: string,
  warn: (sentence: string) => void,
  format?: FormatId,
): ReadDocument {
  const copied = recogniseCopiedRequests(text)
  if (copied?.body === undefined) return readDocument(text, { format })
  const document = readDocument(copied.body, { format })
  warn(`${name}: ${describeCopied(copied)}`)
  for (const problem of copied.problems) warn(`${name}: ${describeProblem(problem)}`)
  return document
}

function describeCopied({ kind, count, place, hasRequests }: CopiedRequests): string {
  if (kind === 'streamed_answer') {
    const read = `the messages of ${count} streamed answer${count === 1 ? '' : 's'} (${place}) are read.`
    return hasRequests ? read : `${read} Tool results are in the requests, which are not here.`
  }
  const requests = inEnglish(phrase(kind))
  return count === 1
    ? `the JSON body of the ${requests} (${place}) is read.`
    : `the JSON bodies of ${count} ${requests}s are read, one a line.`
}

function withName<Value>(name: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof UsageError) throw error
    const sentence = describeProblem(problemOfReading(error))
    throw new UsageError(`${name === STANDARD_INPUT ? 'Standard input' : name}: ${sentence}`)
  }
}
