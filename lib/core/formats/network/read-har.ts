/**
 * HAR, the file in which browsers save their network panel: http://www.softwareishard.com/blog/har-12-spec
 * Each request body that is JSON (`postData.text`) is read as a document of its own, in place, by the reader of its
 * format. Of a response, the usage is read. Responses, other bodies and all other members of an entry are searched for strings that equal a result:
 * these are its duplicates.
 */

import type { Usage } from '../../conversation/conversation'
import { type Problem, ReadError } from '../../problem'
import { isJsonObject, membersOf } from '../../text/json'
import { valueAtPath } from '../../text/json-path'
import { phrase, type Words } from '../../words/words'
import { withRepeatsElsewhere } from '../reading/duplicate-finder'
import type { LineReader, RecognisedFormat } from '../reading/find-unread-conversations'
import type { Format, FormatReading } from '../reading/format'
import { namesOf, readOrProblem, requireConversations } from '../reading/format'
import { answerOfText, usageOfAnswer } from '../reading/read-usage'
import { embeddedValue, type SourceDocument, type SourceValue } from '../reading/source-document'
import { requestTarget } from './copied-commands'

// The core is compiled without DOM and Node types; both have this function.
declare const atob: (text: string) => string

type HarBody = ReturnType<typeof harBody>[number]

interface RecognisedBody<Id extends string> {
  readonly body: HarBody
  readonly document: SourceDocument
  /** Formats that recognise the body, in the order of detection. */
  readonly found: readonly [RecognisedFormat<Id>, ...RecognisedFormat<Id>[]]
}

/**
 * Reads the request bodies of a HAR file that are of one format: the one asked for, else the most frequent one.
 * Bodies without a conversation are skipped; conversations of another format are named as a problem.
 * Undefined when the document is not a HAR file. Throws a `ReadError` when it has no body or no conversation, or none of
 * the format asked for.
 */
export function readHar<Id extends string>(
  document: SourceDocument,
  formats: readonly Format<Id>[],
  wanted: Id | undefined,
) {
  const entries = harEntries(document)
  const [file] = document.values
  if (entries === undefined || file === undefined) return undefined
  const requests = entries.length
  const bodies = entries.flatMap((entry, index) => harBody(file, entry, index))
  if (bodies.length === 0) throw new ReadError('har_without_bodies', { requests }, 0)
  const recognised = bodies.flatMap((body) => recogniseBody(body, formats))
  const chosen =
    wanted === undefined
      ? mostFrequent(recognised, formats)
      : formats.find(({ id }) => id === wanted)
  if (chosen === undefined) {
    throw new ReadError('har_no_conversation', { requests, bodies: bodies.length }, 0)
  }
  const isChosen = ({ format }: RecognisedFormat<Id>) => format === chosen
  const read = recognised.filter(({ found }) =>
    wanted === undefined ? isChosen(found[0]) : found.some(isChosen),
  )
  if (read.length === 0) {
    const found = phrase('har_file', { n: bodies.length })
    throw new ReadError('not_this_format', { found, ...namesOf(chosen) }, 0)
  }
  const evidence = read.flatMap(({ found }) => found.filter(isChosen).map((one) => one.evidence))
  const readings = read.map((body) => readBody(body, chosen))
  const others = recognised.filter((body) => !read.includes(body))
  const { conversations, problems } = requireConversations({
    conversations: readings.flatMap((reading) => reading.conversations),
    problems: readings.flatMap((reading) => reading.problems),
  })
  return {
    format: chosen,
    evidence: {
      shape: 'har' as const,
      lists: read.length,
      marks: ['postData', ...new Set(evidence.flatMap(({ marks }) => marks))],
    },
    candidates: formats
      .filter((format) =>
        recognised.some(({ found }) => found.some((one) => one.format === format)),
      )
      .map(({ id }) => id),
    conversations: withRepeatsElsewhere(document, conversations),
    problems: [...problems, ...otherFormatsProblem(others)],
  }
}

/** Reads a HAR file that is one of several values of a text, to say that it stands there. */
export function harLineReader(formats: readonly Format[]): LineReader {
  const alone = (source: SourceDocument) => ({ ...source, layout: 'json' as const })
  return {
    label: 'HAR',
    recognise: (source) =>
      harEntries(alone(source)) === undefined
        ? null
        : { shape: 'har', lists: 1, marks: ['postData'] },
    // It has entries, or it is not recognised.
    read: (source) => readHar(alone(source), formats, undefined) as FormatReading,
  }
}

/** The entries of a HAR file; undefined when the document is not one. */
function harEntries({ layout, values }: SourceDocument): readonly unknown[] | undefined {
  const [file] = values
  if (layout !== 'json' || !isJsonObject(file?.value)) return undefined
  const { entries } = membersOf(file.value.log)
  if (!Array.isArray(entries)) return undefined
  return entries.length === 0 || entries.some((entry) => isJsonObject(membersOf(entry).request))
    ? entries
    : undefined
}

function harBody(file: SourceValue, entry: unknown, index: number) {
  const { request } = membersOf(entry)
  if (!isJsonObject(request)) return []
  const value = embeddedValue(file, ['log', 'entries', index, 'request', 'postData', 'text'])
  if (value === undefined) return []
  const target = requestTarget(request.method, request.url)
  const number = phrase('request', { n: index + 1 })
  /** Number of the request, as panels count them, and its target: `request 3, POST api.openai.com/v1/responses`. */
  const label: Words = target === '' ? number : [number, target]
  return [{ label, value, answerUsage: usageOfEntry(entry) }]
}

function usageOfEntry(entry: unknown): Usage | undefined {
  const content = valueAtPath(entry, ['response', 'content'])
  if (!isJsonObject(content) || typeof content.text !== 'string') return undefined
  const { text, encoding } = content
  try {
    return usageOfAnswer(answerOfText(encoding === 'base64' ? atob(text) : text))
  } catch {
    return undefined
  }
}

function recogniseBody<Id extends string>(
  body: HarBody,
  formats: readonly Format<Id>[],
): RecognisedBody<Id>[] {
  const { value } = body
  const document = { text: value.text, layout: 'json' as const, values: [value], problems: [] }
  const [first, ...others] = formats.flatMap((format): RecognisedFormat<Id>[] => {
    const evidence = format.recognise(document)
    return evidence === null ? [] : [{ format, evidence }]
  })
  return first === undefined ? [] : [{ body, document, found: [first, ...others] }]
}

function mostFrequent<Id extends string>(
  recognised: readonly RecognisedBody<Id>[],
  formats: readonly Format<Id>[],
): Format<Id> | undefined {
  const countOf = (format: Format<Id>) =>
    recognised.filter(({ found }) => found[0].format === format).length
  const [most] = [...formats].sort((a, b) => countOf(b) - countOf(a))
  return most !== undefined && countOf(most) > 0 ? most : undefined
}

/** The conversations of a body, labelled with its request. */
function readBody({ body, document }: RecognisedBody<string>, format: Format) {
  const { conversations, problems } = readOrProblem(format, document)
  const isOne = conversations.length === 1
  const answerUsage = isOne ? body.answerUsage : undefined
  return {
    conversations: conversations.map((conversation) => ({
      ...conversation,
      ...(answerUsage && { answerUsage }),
      label: isOne
        ? body.label
        : phrase('part_of_request', { label: body.label, part: conversation.label }),
    })),
    problems,
  }
}

function otherFormatsProblem(others: readonly RecognisedBody<string>[]): Problem[] {
  const [first] = others
  if (first === undefined) return []
  const names = new Set(others.map(({ found }) => found[0].format.label))
  const labels = [...names].map((name) => ({ name }))
  const offset = first.body.value.tree.start
  return [{ code: 'har_other_formats', values: { count: others.length, labels }, offset }]
}
