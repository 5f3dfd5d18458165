/**
 * Writes request logs that the playground opens: a file for each session, with a line for each answered request. A request
 * is written as the client sent it, so that the requests of a session begin with each other.
 */
import { createHash } from 'node:crypto'
import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isJsonObject, itemsOf, type JsonObject, membersOf } from '../../core/text/json-object'
import { type HeaderReader, statedSession } from '../known-clients'
import type { RequestSummary } from './proxy-metrics'

export interface RequestRecord {
  /** The body as the client sent it. */
  readonly request: string
  /** What of the answer states its model and usage. */
  readonly response: JsonObject | undefined
  readonly summary: Pick<RequestSummary, 'path' | 'status' | 'masking' | 'maskedResults'>
  /** Reads the headers of the request; one of them can name its session. */
  readonly header: HeaderReader
  /** ISO 8601. */
  readonly at: string
}

const KEY_NAMES = /^(?:x[-_])?(?:api[-_]?key|auth[-_]?token|authorization|access[-_]?token)$/i
const REMOVED = '[removed]'

/** Returns a function that appends a record to the file of its session, one after the other. */
export function createRecorder(folder: string): (record: RequestRecord) => Promise<void> {
  let last: Promise<unknown> = mkdir(folder, { recursive: true })
  return (record) => {
    const written = last.then(() => write(folder, record))
    last = written.catch(() => {})
    return written
  }
}

async function write(
  folder: string,
  { request, response, summary, header, at }: RequestRecord,
): Promise<void> {
  const { path, status, masking, maskedResults: masked_results } = summary
  const body: unknown = JSON.parse(request, withoutKey)
  const session = sessionOf(membersOf(body), header)
  if (session === undefined) return
  const line = { at, path, status, masking, masked_results, request: body, response }
  const file = join(folder, `${session}.jsonl`)
  // Only the user may read it: it has the content of requests.
  await appendFile(file, `${JSON.stringify(line)}\n`, { mode: 0o600 })
}

function withoutKey(name: string, value: unknown): unknown {
  return KEY_NAMES.test(name) && typeof value === 'string' ? REMOVED : value
}

/**
 * The requests of a session share the id that their client states, their model, tools and messages up to the first
 * question. Undefined without messages, as in a request for embeddings.
 */
function sessionOf(body: JsonObject, header: HeaderReader): string | undefined {
  const { model, tools, system, instructions, systemInstruction, messages, input, contents } = body
  const list = itemsOf(messages ?? input ?? contents)
  if (list.length === 0) return undefined
  const question = list.findIndex((message) => isJsonObject(message) && message.role === 'user')
  const stated = statedSession(body, header)
  const shared = [stated, model, tools, system, instructions, systemInstruction]
  const head = JSON.stringify([shared, list.slice(0, question + 1)])
  return createHash('sha256').update(head).digest('hex').slice(0, 16)
}
