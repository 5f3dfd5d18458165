import type { ReadConversation } from '../conversation/conversation'
import { type Problem, ReadError } from '../problem'
import type { Evidence, Format, FormatId } from './format'
import type { HarBodies, HarBody } from './har-bodies'
import { RepeatedResults } from './repeated-results'
import type { SourceDocument } from './source-document'

export interface HarReading {
  readonly format: Format
  readonly evidence: Evidence
  readonly candidates: readonly FormatId[]
  readonly conversations: readonly ReadConversation[]
  readonly problems: readonly Problem[]
}

interface Recognised {
  readonly body: HarBody
  readonly document: SourceDocument
  /** In the order of the list; never empty. */
  readonly found: readonly [FoundFormat, ...FoundFormat[]]
}

interface FoundFormat {
  readonly format: Format
  readonly evidence: Evidence
}

/**
 * Reads the request bodies of a HAR file that are of one format: the one asked for, else that of most of them. Bodies
 * that are no conversation are passed over; conversations of another format are named as a problem.
 * Throws a `ReadError` when there is no body or no conversation, or none of the format asked for.
 */
export function readHar(
  text: string,
  { source, requests, bodies }: HarBodies,
  formats: readonly Format[],
  wanted: FormatId | undefined,
): HarReading {
  const [first] = bodies
  if (first === undefined) throw new ReadError('har_without_bodies', { requests }, 0)
  const recognised = bodies.flatMap((body) => recogniseBody(text, body, formats))
  const chosen =
    wanted === undefined ? mostFrequent(recognised, formats) : formatOf(formats, wanted)
  if (chosen === undefined) {
    throw new ReadError('har_no_conversation', { requests, bodies: bodies.length }, 0)
  }
  const isChosen = ({ format }: FoundFormat) => format === chosen
  const read = recognised.filter(({ found }) =>
    wanted === undefined ? isChosen(found[0]) : found.some(isChosen),
  )
  if (read.length === 0) {
    const { label, expects: expected } = chosen
    const found = `a HAR file, JSON bodies: ${bodies.length}`
    throw new ReadError('not_this_format', { found, label, expected }, 0)
  }
  const evidence = read.flatMap(({ found }) => found.find(isChosen)?.evidence ?? [])
  const readings = read.map((body) => readBody(body, chosen))
  const conversations = readings.flatMap((reading) => reading.conversations)
  const own = new Set<unknown>(read.map(({ body }) => body.request))
  const problems = readings.flatMap((reading) => reading.problems)
  const [problem] = problems
  if (conversations.length === 0 && problem !== undefined) {
    throw new ReadError(problem.code, problem.values, problem.offset)
  }
  const repeated = new RepeatedResults(text, conversations)
  repeated.lookThrough(source, [], (value) => own.has(value))
  return {
    format: chosen,
    evidence: {
      shape: 'har',
      lists: read.length,
      marks: ['postData', ...new Set(evidence.flatMap(({ marks }) => marks))],
    },
    candidates: formats
      .filter((format) =>
        recognised.some(({ found }) => found.some((one) => one.format === format)),
      )
      .map(({ id }) => id),
    conversations: repeated.conversations(),
    problems: [...problems, ...leftAlone(recognised.filter((body) => !read.includes(body)))],
  }
}

function recogniseBody(text: string, body: HarBody, formats: readonly Format[]): Recognised[] {
  const document = { text, layout: 'json' as const, values: [body.value], problems: [] }
  const [first, ...others] = formats.flatMap((format): FoundFormat[] => {
    const evidence = format.recognise(document)
    return evidence === null ? [] : [{ format, evidence }]
  })
  return first === undefined ? [] : [{ body, document, found: [first, ...others] }]
}

function mostFrequent(
  recognised: readonly Recognised[],
  formats: readonly Format[],
): Format | undefined {
  const countOf = (format: Format) =>
    recognised.filter(({ found }) => found[0].format === format).length
  const [most] = [...formats].sort((a, b) => countOf(b) - countOf(a))
  return most !== undefined && countOf(most) > 0 ? most : undefined
}

function formatOf(formats: readonly Format[], id: FormatId): Format | undefined {
  return formats.find((format) => format.id === id)
}

/** The conversations of a body, named after its request. */
function readBody({ body, document }: Recognised, format: Format) {
  try {
    const { conversations, problems } = format.read(document)
    const isOne = conversations.length === 1
    return {
      conversations: conversations.map((conversation) => ({
        ...conversation,
        label: isOne ? body.label : `${body.label}: ${conversation.label}`,
      })),
      problems,
    }
  } catch (error) {
    if (!(error instanceof ReadError)) throw error
    return { conversations: [], problems: [error.problem] }
  }
}

function leftAlone(others: readonly Recognised[]): Problem[] {
  const [first] = others
  if (first === undefined) return []
  const labels = [...new Set(others.map(({ found }) => found[0].format.label))].join(', ')
  const offset = first.body.value.tree.start
  return [{ code: 'har_other_formats', values: { count: others.length, labels }, offset }]
}
