/**
 * Writes request logs that the playground opens: a file for each session, with a line for each answered request. A request
 * is written as the client sent it, without its secrets, so that the requests of a session begin with each other.
 */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { joinGrowth, MESSAGE_LISTS } from '../../core/formats/reading/join-growth'
import { findSecrets } from '../../core/share/secrets/find-secrets'
import { isRandomKey } from '../../core/share/secrets/judge-value'
import { redactSecrets } from '../../core/share/secrets/redact-secrets'
import { createJobQueue } from '../../core/steps'
import { isJsonObject, itemsOf, type JsonObject, membersOf, parseJson } from '../../core/text/json'
import { type HeaderReader, statedSession } from '../known-clients'
import type { RequestSummary } from './proxy-metrics'

export interface RequestRecord {
  /** The body as the client sent it. */
  readonly request: Uint8Array
  /** What of the answer states its model and usage. */
  readonly response: JsonObject | undefined
  readonly summary: Pick<RequestSummary, 'path' | 'status' | 'masking' | 'maskedResults'>
  /** Those of the request; one of them can name its session. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** ISO 8601. */
  readonly at: string
}

/** Members whose texts are secrets, wherever in the key the name stands, and headers of requests to other servers. */
const SECRET_NAMES =
  /api[-_]?key|access[-_]?key|private[-_]?key|authorization|token$|secret|passw|passphrase|(?<![a-z])pass$|pwd$|_pat$|credential|cookie|bearer|headers$/i
/** An object with one of these is a JSON schema: under such a name it describes a parameter. */
const SCHEMA_MEMBERS = ['type', 'anyOf', 'oneOf', 'allOf', '$ref', 'enum', 'description']
const REMOVED = '[removed]'

/** Most characters of a request that are looked through for secrets because no request before had them. */
const MOST_NEW_CHARS = 8_000_000
/** What a text takes besides its characters, as if it were so many. */
const CHARS_PER_TEXT = 100
const MOST_KNOWN = 300_000
/** Shorter texts have no secret without its name. */
const SHORTEST_SECRET = 8

/** A request that was written, and the bytes that the file of its session now has. */
export interface Recorded {
  readonly session: string
  readonly bytes: number
  /** Results that it was sent with masked. */
  readonly masked: number
  /** Requests in the file. */
  readonly requests: number
}

/**
 * Returns a function that appends a record to the file of its session, one after the other. A request that begins with the
 * one before it is written as what it adds, with `continues`. Resolves with undefined for what has no messages.
 */
export function createRecorder(
  folder: string,
): (record: RequestRecord) => Promise<Recorded | undefined> {
  const redact = createRedaction()
  const growthOf = createGrowth()
  const enqueue = createJobQueue()
  const write = async ({ request, response, summary, headers, at }: RequestRecord) => {
    const { status, masking, maskedResults: masked_results } = summary
    const body = withoutItsSecrets(new TextDecoder().decode(request))
    const members = membersOf(body)
    const session = sessionOf(members, (name) => headers[name]?.toString())
    if (session === undefined) return undefined
    const written = await redact(body)
    const path = join(folder, `${session}.jsonl`)
    const jsonOf = (value: unknown) =>
      JSON.stringify(value, (_, part) => {
        if (typeof part === 'string') return written(part)
        if (!isJsonObject(part)) return part
        return mapMembers(part, (name, member) => [written(name), member])
      })
    const asWritten = () => membersOf(JSON.parse(jsonOf(body)))
    const { isWritten, grown, requests } = await growthOf(session, members, path, asWritten)
    const sent = grown === undefined ? { request: body } : { continues: true, request: grown }
    const line = { at, path: summary.path, status, masking, masked_results, ...sent, response }
    const bytes = await appendLine(path, jsonOf(line))
    isWritten(bytes)
    return { session, bytes, masked: masked_results, requests }
  }
  return (record) => enqueue(() => write(record))
}

/** What a reader takes from a request besides its messages: where it has changed, the request is written whole. */
const SHARED = ['model', 'tools', 'toolConfig', 'system', 'instructions', 'systemInstruction']
/** Sessions whose last request is remembered by its hashes. */
const MOST_REMEMBERED = 250

/** The last request in the file of a session, by the hashes of its messages and of its other members. */
interface Last {
  readonly messages: readonly string[]
  readonly members: ReadonlyMap<string, string>
  /** In the file. */
  readonly requests: number
}

function hashesOf(body: JsonObject): Pick<Last, 'messages' | 'members'> {
  const name = listNameOf(body)
  const others = Object.entries(body).filter(([own]) => own !== name)
  return {
    messages: itemsOf(body[name ?? '']).map(hashOf),
    members: new Map(others.map(([own, value]) => [own, hashOf(value)])),
  }
}

/** Reads the file, such as one of a run before. A line that is torn is left out. */
async function lastIn(path: string): Promise<Last> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const lines = text.split('\n').map((line) => ({ value: parseJson(line) }))
  const records = lines.filter(({ value }) => membersOf(value).request !== undefined)
  const { request } = membersOf(joinGrowth(records).values.at(-1)?.value)
  return { ...hashesOf(membersOf(request)), requests: records.length }
}

/**
 * Returns a function that says what a request adds to the last one in the file of its session; undefined if it is another.
 * In a file that is not as it was left, the request is looked for as it is written, without its secrets.
 */
function createGrowth() {
  const sessions = new Map<string, Last & { readonly bytes: number }>()
  return async (session: string, body: JsonObject, path: string, asWritten: () => JsonObject) => {
    const name = listNameOf(body) ?? ''
    const hashes = hashesOf(body)
    const size = (await stat(path).catch(() => undefined))?.size ?? 0
    const known = sessions.get(session)
    const isAsLeft = known?.bytes === size
    const last = isAsLeft ? known : await lastIn(path)
    const { messages, members } = isAsLeft ? hashes : hashesOf(asWritten())
    const requests = last.requests + 1
    const isNew = ([own]: readonly [string, unknown]) => last.members.get(own) !== members.get(own)
    const continues =
      last.messages.length > 0 &&
      last.messages.every((hash, at) => hash === messages[at]) &&
      !SHARED.some((own) => isNew([own, undefined]))
    const changed = Object.fromEntries(Object.entries(body).filter(isNew))
    const added = itemsOf(body[name]).slice(last.messages.length)
    return {
      requests,
      grown: continues ? { ...changed, [name]: added } : undefined,
      /** The next request is compared with this one. */
      isWritten: (bytes: number) => {
        sessions.delete(session)
        sessions.set(session, { ...hashes, requests, bytes })
        const [oldest = ''] = sessions.keys()
        if (sessions.size > MOST_REMEMBERED) sessions.delete(oldest)
      },
    }
  }
}

const listNameOf = (body: JsonObject) => MESSAGE_LISTS.find((name) => Array.isArray(body[name]))

/** Clients move the marks for the cache from message to message, and a text with one is a block. */
export const unmarked = (name: string, value: unknown) => {
  if (name === 'content' && typeof value === 'string') return [{ type: 'text', text: value }]
  return name === 'cache_control' ? undefined : value
}

const hashOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value, unmarked)).digest('base64').slice(0, 22)

/** Appends a line that only the user may read, and resolves with the bytes of the file. One that a full disk has torn is cut off, or ended before the next. */
async function appendLine(path: string, line: string): Promise<number> {
  // No link of another user to a file elsewhere.
  const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW } = constants
  const file = await open(path, O_APPEND | O_CREAT | O_RDWR | (O_NOFOLLOW ?? 0), 0o600)
  try {
    const { size } = await file.stat()
    const end = Buffer.from('\n')
    if (size > 0) await file.read(end, 0, 1, size - 1)
    const isTorn = end.toString() !== '\n'
    await file.appendFile(`${isTorn ? '\n' : ''}${line}\n`).catch(async (error) => {
      await file.truncate(size)
      throw error
    })
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}

/** The value of a body; undefined if it is not JSON, which is no conversation. */
function withoutItsSecrets(text: string): unknown {
  try {
    return JSON.parse(text, withoutSecrets)
  } catch {
    return undefined
  }
}

function withoutSecrets(name: string, value: unknown): unknown {
  const isKey = typeof value === 'string' && /key$/i.test(name) && isRandomKey(name, value)
  return isKey || SECRET_NAMES.test(name) ? withoutTexts(value) : value
}

function withoutTexts(value: unknown): unknown {
  if (typeof value === 'string') return REMOVED
  if (Array.isArray(value)) return value.map(withoutTexts)
  if (!isJsonObject(value) || SCHEMA_MEMBERS.some((name) => Object.hasOwn(value, name)))
    return value
  return mapMembers(value, (name, member) => [name, withoutTexts(member)])
}

function mapMembers(
  object: JsonObject,
  map: (name: string, member: unknown) => readonly [string, unknown],
): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, member]) => map(name, member)))
}

/**
 * Returns a function that looks through the texts of a body and returns how to write each. A secret in one text is taken
 * out of all. Texts of earlier requests are known by their hashes. Throws where there is more new text than it looks through.
 */
function createRedaction() {
  /** By the hash of a text: the secrets in it, and what it is without them; most texts have none. */
  const known = new Map<string, { readonly secrets: readonly string[]; readonly text?: string }>()
  const scan = async (text: string) => {
    const found = (await findSecrets(text)).filter(({ kind }) => kind !== 'email')
    const secrets = found.map((secret) => secret.text)
    return found.length === 0 ? { secrets } : { secrets, text: redactSecrets(text, found) }
  }
  return async (body: unknown): Promise<(text: string) => string> => {
    const secrets = new Set<string>()
    const redacted = new Map<string, string>()
    let left = MOST_NEW_CHARS
    for (const text of textsIn(body)) {
      const key = createHash('sha1').update(text).digest('base64')
      let one = known.get(key)
      if (one === undefined) {
        left -= text.length + CHARS_PER_TEXT
        if (left < 0)
          throw new Error(
            `a request has more than ${MOST_NEW_CHARS} characters of new text, too many to look through for secrets.`,
          )
        one = await scan(text)
        if (known.size >= MOST_KNOWN) known.clear()
        known.set(key, one)
      }
      if (one.text !== undefined) redacted.set(text, one.text)
      // A password such as `postgres` is also a common word.
      for (const secret of one.secrets)
        if (secret.length >= SHORTEST_SECRET && /\d/.test(secret) && /\D/.test(secret))
          secrets.add(secret)
    }
    return (text) => {
      let written = redacted.get(text) ?? text
      for (const secret of secrets) written = written.replaceAll(secret, REMOVED)
      return written
    }
  }
}

/** The different texts and names of a JSON value that are long enough for a secret. */
function textsIn(body: unknown): ReadonlySet<string> {
  const texts = new Set<string>()
  JSON.stringify(body, (name, value) => {
    for (const text of [name, value])
      if (typeof text === 'string' && text.length >= SHORTEST_SECRET) texts.add(text)
    return value
  })
  return texts
}

/**
 * The requests of a session share their messages up to the first question, and the id that their client states or else
 * their model and tools. Undefined without messages, as in a request for embeddings.
 */
function sessionOf(body: JsonObject, header: HeaderReader): string | undefined {
  const { model, tools, system, instructions, systemInstruction } = body
  const list = itemsOf(body[listNameOf(body) ?? ''])
  if (list.length === 0) return undefined
  const question = list.findIndex((message) => isJsonObject(message) && message.role === 'user')
  const stated = statedSession(body, header)
  const shared = stated ?? [model, tools, system, instructions, systemInstruction]
  const head = JSON.stringify([shared, list.slice(0, question + 1)], unmarked)
  return createHash('sha256').update(head).digest('hex').slice(0, 16)
}
