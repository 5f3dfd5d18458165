/**
 * A session as a file, `*.masking.json`: transcript, policy, model, own prices and notes. A versioned format, read like
 * a settings link: keys this version does not know are kept, one bad value is left at its default and reported.
 * The transcript is one JSON string, so that every character of it comes back, byte order marks and lone surrogates too.
 */
import { isJsonObject } from '../conversation/chat-message'
import { describeJson } from '../formats/describe-json'
import { type FormatId, isFormatId } from '../formats/format'
import { checkSetting } from '../policy/check-setting'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { POLICY_FIELDS } from '../policy/policy-fields'
import { ReadError } from '../problem'
import {
  checkOwnTerms,
  OWN_TERM_KEYS,
  type OwnTerms,
  type OwnTermsByModel,
} from '../replay/own-terms'
import { textStart } from '../text/json-lines'
import { parseJsonTree } from '../text/json-tree'
import { sliceText } from '../text/slice-text'

export const SESSION_VERSION = 1

/** What a session file says it is, in its first key. */
const SESSION_FORMAT = 'observation-masking-session'

const TOP_KEYS = ['format', 'version', 'policy', 'model', 'prices', 'notes', 'transcript']
const TRANSCRIPT_KEYS = ['name', 'format', 'text']

type JsonObject = Readonly<Record<string, unknown>>

/** Keys of a file that this version does not know, by where they stood. */
export interface UnknownSessionKeys {
  readonly top: JsonObject
  readonly policy: JsonObject
  readonly transcript: JsonObject
  /** By model. */
  readonly prices: Readonly<Record<string, JsonObject>>
}

export const NO_UNKNOWN_KEYS: UnknownSessionKeys = {
  top: {},
  policy: {},
  transcript: {},
  prices: {},
}

export interface SessionFile {
  readonly name: string
  readonly text: string
  /** The format chosen to read it as; undefined for the one that recognises it. */
  readonly readAs: FormatId | undefined
  readonly policy: MaskPolicy
  /** Undefined for the transcript's own, else the default. */
  readonly model: string | undefined
  readonly prices: OwnTermsByModel
  readonly notes: string
  readonly unknown: UnknownSessionKeys
}

export type SessionProblem =
  | { readonly code: 'newer_version'; readonly version: string }
  | { readonly code: 'bad_version'; readonly version: string }
  | { readonly code: 'bad_value'; readonly reason: string }

export interface ReadSession {
  readonly session: SessionFile
  readonly problems: readonly SessionProblem[]
}

/** Characters of the transcript written as one piece. */
const PIECE_LENGTH = 1_000_000

/** Writes a session as the pieces of one JSON text; in pieces, since a long transcript escaped may be too long for one. */
export function writeSessionFile(session: SessionFile): string[] {
  const { unknown, name, text, readAs, model, notes } = session
  const policy = Object.fromEntries(
    POLICY_FIELDS.map((field) => [field.toml, session.policy[field.key]]),
  )
  const prices = Object.entries(session.prices).map(([key, terms]): [string, object] => [
    key,
    { ...terms, ...(Object.hasOwn(unknown.prices, key) ? unknown.prices[key] : {}) },
  ])
  const settings = {
    policy: { ...policy, ...unknown.policy },
    model,
    prices: Object.fromEntries(prices),
    notes,
    ...unknown.top,
  }
  const transcript = JSON.stringify({ name, format: readAs, ...unknown.transcript }, null, 2)
  // By hand and first: an unknown key such as "0" would be put before them.
  const head = `{\n  "format": "${SESSION_FORMAT}",\n  "version": ${SESSION_VERSION},`
  return [
    head,
    JSON.stringify(settings, null, 2).slice(1, -2),
    `,\n  "transcript": ${transcript.slice(0, -2).replaceAll('\n', '\n  ')},\n    "text": "`,
    ...sliceText(text, PIECE_LENGTH).map((piece) => JSON.stringify(piece).slice(1, -1)),
    '"\n  }\n}\n',
  ]
}

const CHARS_LOOKED_AT = 100_000

/** Whether a text is a session file by its shape: an object with its format near the beginning. Damaged ones count too. */
export function isSessionFile(text: string): boolean {
  const start = textStart(text)
  const beginning = text.slice(start, start + CHARS_LOOKED_AT)
  // Within a string the quotes would be escaped, so a transcript that tells of such files is none.
  const said = new RegExp(`[{,]\\s*"format"\\s*:\\s*"${SESSION_FORMAT}"`)
  return /^\s*\{/.test(beginning) && said.test(beginning)
}

/** Reads a session file; a `ReadError` with the place when it is damaged or has no transcript. */
export function readSessionFile(text: string): ReadSession {
  const file = parse(text)
  const { transcript } = file
  if (!isJsonObject(transcript)) throw wrongType('transcript', transcript, 'an object')
  if (typeof transcript.text !== 'string')
    throw wrongType('transcript.text', transcript.text, 'the text of a transcript')
  const problems: SessionProblem[] = []
  const given = part(file, 'policy', problems)
  const prices = part(file, 'prices', problems)
  const { known, unknown } = readPrices(prices, problems)
  checkVersion(file.version, problems)
  return {
    session: {
      name: readText('transcript.name', transcript.name, problems) ?? '',
      text: transcript.text,
      readAs: readFormat(transcript.format, problems),
      policy: readPolicy(given, problems),
      model: readText('model', file.model, problems),
      prices: known,
      notes: readText('notes', file.notes, problems) ?? '',
      unknown: {
        top: without(file, TOP_KEYS),
        policy: without(
          given,
          POLICY_FIELDS.map(({ toml }) => toml),
        ),
        transcript: without(transcript, TRANSCRIPT_KEYS),
        prices: unknown,
      },
    },
    problems,
  }
}

function parse(text: string): JsonObject {
  const file = parseJson(text)
  if (!isJsonObject(file)) throw wrongType('The session file', file, 'an object')
  return file
}

function parseJson(text: string): unknown {
  const start = textStart(text)
  try {
    return JSON.parse(text.slice(start))
  } catch (error) {
    // Throws the sentence on what is wrong and where.
    parseJsonTree(text, start)
    throw error
  }
}

function wrongType(path: string, value: unknown, expected: string): ReadError {
  return new ReadError('wrong_type', { path, found: describeJson(value), expected })
}

/** An object that may be missing; anything else in its place is reported. */
function part(file: JsonObject, key: string, problems: SessionProblem[]): JsonObject {
  const value = file[key]
  if (isJsonObject(value)) return value
  if (value !== undefined) problems.push(badValue(key, value, 'an object'))
  return {}
}

function readText(path: string, value: unknown, problems: SessionProblem[]): string | undefined {
  if (typeof value === 'string') return value
  if (value !== undefined) problems.push(badValue(path, value, 'a text'))
  return undefined
}

function readFormat(value: unknown, problems: SessionProblem[]): FormatId | undefined {
  if (isFormatId(value)) return value
  if (value !== undefined) {
    const expected = 'the id of a format, such as "openai-chat"'
    problems.push(badValue('transcript.format', value, expected))
  }
  return undefined
}

function badValue(path: string, value: unknown, expected: string): SessionProblem {
  return { code: 'bad_value', reason: wrongType(path, value, expected).message }
}

/** Settings a file leaves out are Schema 1's defaults, as in a config file. */
function readPolicy(given: JsonObject, problems: SessionProblem[]): MaskPolicy {
  let policy = DEFAULT_POLICY
  for (const field of POLICY_FIELDS) {
    if (!Object.hasOwn(given, field.toml)) continue
    const checked = checkSetting(field, given[field.toml])
    if (checked.state !== 'valid') problems.push({ code: 'bad_value', reason: checked.reason })
    if (checked.state !== 'invalid') policy = { ...policy, [field.key]: checked.value }
  }
  return policy
}

function readPrices(given: JsonObject, problems: SessionProblem[]) {
  const known: [string, OwnTerms][] = []
  const unknown: [string, JsonObject][] = []
  for (const [model, value] of Object.entries(given)) {
    const checked = checkOwnTerms(value)
    if (checked.state === 'invalid' || !isJsonObject(value)) {
      const path = ['prices', JSON.stringify(model.slice(0, 60))]
      if (checked.state === 'valid') continue
      if (checked.key !== undefined) path.push(checked.key)
      problems.push(badValue(path.join('.'), checked.found, checked.expected))
      continue
    }
    known.push([model, checked.terms])
    const rest = without(value, OWN_TERM_KEYS)
    if (Object.keys(rest).length > 0) unknown.push([model, rest])
  }
  return { known: Object.fromEntries(known), unknown: Object.fromEntries(unknown) }
}

function checkVersion(version: unknown, problems: SessionProblem[]): void {
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1) {
    problems.push({ code: 'bad_version', version: describeJson(version) })
  } else if (version > SESSION_VERSION) {
    problems.push({ code: 'newer_version', version: String(version) })
  }
}

function without(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}
