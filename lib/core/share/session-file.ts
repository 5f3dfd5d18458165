/**
 * A session as a file, `*.masking.json`: transcript, policy, model, model overrides and notes. A versioned format:
 * unknown keys are preserved, and invalid values are reported and count as missing. The transcript is one JSON
 * string, so that every character survives, byte order marks and lone surrogates included.
 */

import { FORMAT_IDS } from '../formats/format-ids'
import type { FormatId } from '../formats/read-document'
import { describeJson } from '../formats/reading/report'
import { checkSetting } from '../policy/check-setting'
import { DEFAULT_POLICY, type MaskPolicy, POLICY_FIELDS } from '../policy/policy'
import { ReadError, sentenceOf } from '../problem'
import type { ModelOverrides, OverridesByModel } from '../replay/model-overrides'
import { checkModelOverrides, MODEL_OVERRIDE_KEYS } from '../replay/model-overrides'
import { isJsonObject, type JsonObject } from '../text/json'
import { parseJsonTree } from '../text/json-tree'
import { textStart } from '../text/lines'
import { sliceText, type TextSlices } from '../text/span'
import { type Phrase, phrase, type WordKey, type Words } from '../words/words'

export const SESSION_VERSION = 1

/** Value of the first key, which identifies a session file. */
const SESSION_FORMAT = 'observation-masking-session'

const TOP_KEYS = ['format', 'version', 'policy', 'model', 'prices', 'notes', 'transcript']
const TRANSCRIPT_KEYS = ['name', 'format', 'text']

/** Keys this version does not know, by their parent. */
export interface UnknownSessionKeys {
  readonly top: JsonObject
  readonly policy: JsonObject
  readonly transcript: JsonObject
  /** By model. */
  readonly prices: Readonly<Record<string, JsonObject>>
}

export const NO_UNKNOWN_KEYS = { top: {}, policy: {}, transcript: {}, prices: {} } as const

export interface SessionFile {
  readonly name: string
  readonly text: string
  /** Format chosen by the user; undefined if it was recognised. */
  readonly readAs: FormatId | undefined
  readonly policy: MaskPolicy
  /** Undefined for the transcript's model, or the default. */
  readonly model: string | undefined
  readonly prices: OverridesByModel
  readonly notes: string
  readonly unknown: UnknownSessionKeys
}

export type SessionProblem =
  | { readonly code: 'newer_version'; readonly version: string }
  | { readonly code: 'bad_version'; readonly version: Words }
  | { readonly code: 'bad_value'; readonly reason: Phrase }

/** Number of characters of the transcript per piece. */
const PIECE_LENGTH = 1_000_000

/** Writes a session as pieces of one JSON text, since a long transcript may exceed the length of one string. */
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
  // Written first, as text: an unknown key such as "0" would be sorted before them.
  const head = `{\n  "format": "${SESSION_FORMAT}",\n  "version": ${SESSION_VERSION},`
  return [
    head,
    JSON.stringify(settings, null, 2).slice(1, -2),
    `,\n  "transcript": ${transcript.slice(0, -2).replaceAll('\n', '\n  ')},\n    "text": "`,
    ...Array.from(sliceText(text, PIECE_LENGTH), (piece) => JSON.stringify(piece).slice(1, -1)),
    '"\n  }\n}\n',
  ]
}

const SEARCHED_CHARS = 100_000

/**
 * True if a text looks like a session file: an object with its format near the start. Also true for damaged files.
 */
export function isSessionFile(text: TextSlices): boolean {
  const start = text.slice(0, SEARCHED_CHARS)
  const head = start.slice(textStart(start))
  // Inside a string the quotes would be escaped, so a transcript that mentions such a file does not match.
  const formatKey = new RegExp(`[{,]\\s*"format"\\s*:\\s*"${SESSION_FORMAT}"`)
  return /^\s*\{/.test(head) && formatKey.test(head)
}

/** Reads a session file. Throws a `ReadError` with the location if it is damaged or has no transcript. */
export function readSessionFile(text: string) {
  const file = parse(text)
  const { transcript } = file
  if (!isJsonObject(transcript)) throw wrongType('transcript', transcript, 'object')
  if (typeof transcript.text !== 'string')
    throw wrongType('transcript.text', transcript.text, 'text_of_transcript')
  const problems: SessionProblem[] = []
  const given = readObject(file, 'policy', problems)
  const prices = readObject(file, 'prices', problems)
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
        top: omitKeys(file, TOP_KEYS),
        policy: omitKeys(
          given,
          POLICY_FIELDS.map(({ toml }) => toml),
        ),
        transcript: omitKeys(transcript, TRANSCRIPT_KEYS),
        prices: unknown,
      },
    },
    problems,
  }
}

function parse(text: string): JsonObject {
  const start = textStart(text)
  try {
    const file: unknown = JSON.parse(text.slice(start))
    if (isJsonObject(file)) return file
    throw wrongType(phrase('session_file'), file, 'object')
  } catch (error) {
    // Of a text that is not JSON, throws an error with the location.
    parseJsonTree(text, { from: start })
    throw error
  }
}

function wrongType(path: Words, value: unknown, expected: WordKey): ReadError {
  const found = describeJson(value)
  return new ReadError('wrong_type', { path, found, expected: phrase(expected) })
}

/** Reads an optional object. Any other value is reported. */
function readObject(file: JsonObject, key: string, problems: SessionProblem[]): JsonObject {
  const value = file[key]
  if (isJsonObject(value)) return value
  if (value !== undefined) problems.push(badValue(key, value, 'object'))
  return {}
}

function readText(path: string, value: unknown, problems: SessionProblem[]): string | undefined {
  if (typeof value === 'string') return value
  if (value !== undefined) problems.push(badValue(path, value, 'text'))
  return undefined
}

function readFormat(value: unknown, problems: SessionProblem[]): FormatId | undefined {
  const format = FORMAT_IDS.find((id) => id === value)
  if (format === undefined && value !== undefined)
    problems.push(badValue('transcript.format', value, 'id_of_format'))
  return format
}

function badValue(path: string, value: unknown, expected: WordKey): SessionProblem {
  return { code: 'bad_value', reason: sentenceOf(wrongType(path, value, expected).problem) }
}

/** Reads the policy. Missing settings are Schema 1's defaults, as in a config file. */
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
  const known: [string, ModelOverrides][] = []
  const unknown: [string, JsonObject][] = []
  for (const [model, value] of Object.entries(given)) {
    const checked = checkModelOverrides(value)
    if (checked.state === 'invalid' || !isJsonObject(value)) {
      const path = ['prices', JSON.stringify(model.slice(0, 60))]
      if (checked.state === 'valid') continue
      if (checked.key !== undefined) path.push(checked.key)
      problems.push(badValue(path.join('.'), checked.found, checked.expected))
      continue
    }
    known.push([model, checked.overrides])
    const rest = omitKeys(value, MODEL_OVERRIDE_KEYS)
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

function omitKeys(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}
