/** Writes a policy as TOML, on its own with a comment for each key or into an existing config, and reads it from there. */

import { parse, TomlError } from 'smol-toml'
import { type CheckedSetting, checkSetting } from '../../policy/check-setting'
import type { MaskPolicy, PolicyField } from '../../policy/policy'
import {
  DEFAULT_POLICY,
  isDefault,
  isSamePolicy,
  isSameSetting,
  POLICY_FIELDS,
  writtenFields,
} from '../../policy/policy'
import { isJsonObject } from '../../text/json'
import { applyEdits, type Edit } from '../../text/span'
import { ENGLISH_COMMENTS, type Say, sayIn } from '../../words/comments'
import { type Catalogue, type Phrase, phrase } from '../../words/words'
import { escapeToolName, unescapeToolName } from '../tool-names'
import { endOfLine, type TomlEntry, tomlEntries } from './toml-entries'

/** Writes a policy as TOML, with a comment above each key on request. Extensions are included only if they differ from the default. */
export function writePolicyToml(policy: MaskPolicy, comments: boolean | Say = false): string {
  const say = comments === true ? sayIn(ENGLISH_COMMENTS) : comments
  const lines = (isExtension: boolean) =>
    writtenFields(policy, isExtension).flatMap((field) => [
      ...(say ? [`# ${say(field.key)}`] : []),
      lineOf(policy, field),
    ])
  const extensions = lines(true)
  const text = [header(false), ...lines(false)]
  if (extensions.length > 0) {
    text.push('', ...(say ? [`# ${say('beyond_schema_1')}`] : []), header(true), ...extensions)
  }
  return `${text.join('\n')}\n`
}

export type WrittenConfig =
  | { readonly state: 'written'; readonly text: string }
  | { readonly state: 'failed'; readonly reason: Phrase }

/** Writes a policy into an existing config and changes nothing else, or returns the reason why it cannot. */
export function writePolicyIntoToml(
  text: string,
  policy: MaskPolicy,
  comments: Catalogue = ENGLISH_COMMENTS,
): WrittenConfig {
  const before = parseToml(text)
  if (before.state === 'failed') return before
  const written = applyEdits(text, editsFor(text, before.document, policy, sayIn(comments)))
  const after = parseToml(written)
  const read = readPolicyToml(written)
  const isCorrect =
    after.state === 'parsed' &&
    read.state === 'read' &&
    isSamePolicy(read.policy, policy) &&
    textWithout(before.document) === textWithout(after.document)
  if (isCorrect) return { state: 'written', text: written }
  const reason = phrase('table_not_editable', { table: POLICY_TABLE.join('.') })
  return { state: 'failed', reason }
}

function editsFor(text: string, document: object, policy: MaskPolicy, say: Say): Edit[] {
  const entries = tomlEntries(text)
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  if (!entries.some(({ path }) => startsWith(path, POLICY_TABLE))) {
    const gap = text === '' ? '' : text.endsWith('\n') ? lineEnd : lineEnd.repeat(2)
    const table = writePolicyToml(policy, say).replaceAll('\n', lineEnd)
    return [{ start: text.length, end: text.length, text: gap + table }]
  }
  // Of lines inserted at the same offset, those of the existing table come first.
  const hasMain = entryAt(entries, 'table', POLICY_TABLE) !== undefined
  return [!hasMain, hasMain].flatMap(tableEdits).sort((a, b) => a.start - b.start)

  /** The edits of one of the two tables: changed values, then lines for missing ones. */
  function tableEdits(isExtension: boolean): Edit[] {
    const path = isExtension ? [...POLICY_TABLE, EXTENSIONS] : POLICY_TABLE
    const values = tableAt(document, path) ?? {}
    const edits: Edit[] = []
    const missing: PolicyField[] = []
    for (const field of POLICY_FIELDS.filter((field) => field.isExtension === isExtension)) {
      const pair = entryAt(entries, 'pair', pathOfField(field))
      if (pair === undefined) {
        if (!isDefault(policy, field)) missing.push(field)
      } else if (!isAlready(field, values[field.toml], policy)) {
        edits.push({ start: pair.start, end: pair.end, text: writeValue(policy[field.key]) })
      }
    }
    if (missing.length === 0) return edits
    const lines = missing.map((field) => lineEnd + lineOf(policy, field)).join('')
    const table = entryAt(entries, 'table', path)
    // After the pairs directly below its header, or after all that is in the table around it.
    const last = table
      ? lastOfTable(entries.slice(entries.indexOf(table)))
      : entries.findLast((entry) => startsWith(entry.path, POLICY_TABLE))
    const at = endOfLine(text, (last as TomlEntry).end)
    const head = table === undefined ? `${lineEnd}${lineEnd}${header(isExtension)}` : ''
    edits.push({ start: at, end: at, text: head + lines })
    return edits
  }
}

/** True if the value already equals the policy's, so that its notation stays. */
function isAlready(field: PolicyField, value: unknown, policy: MaskPolicy): boolean {
  const checked = checkTomlValue(field, value)
  return checked.state === 'valid' && isSameSetting(checked.value, policy[field.key])
}

function entryAt(entries: readonly TomlEntry[], kind: TomlEntry['kind'], path: readonly string[]) {
  const key = path.join('\n')
  return entries.find((entry) => entry.kind === kind && entry.path.join('\n') === key)
}

/** The last pair directly below the header that comes first, or the header. */
function lastOfTable(entries: readonly TomlEntry[]): TomlEntry | undefined {
  const next = entries.findIndex(({ kind }, at) => at > 0 && kind !== 'pair')
  return entries.at(next === -1 ? -1 : next - 1)
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((key, index) => path[index] === key)
}

/** The document without the policy's table, as text to compare. */
function textWithout(document: object): string {
  return JSON.stringify(without(document), (_, value) =>
    typeof value === 'bigint' ? `${value}n` : value,
  )
}

function without(document: object): unknown {
  const [outer, inner] = POLICY_TABLE as [string, string]
  const { [inner]: _, ...others } = tableAt(document, [outer]) ?? {}
  const rest = Object.entries(document).filter(([key]) => key !== outer)
  // An outer table may be added or removed with its only inner one.
  return [...rest, ...(Object.keys(others).length > 0 ? [[outer, others]] : [])].sort(([a], [b]) =>
    String(a) < String(b) ? -1 : 1,
  )
}

function header(isExtension: boolean): string {
  return `[${[...POLICY_TABLE, ...(isExtension ? [EXTENSIONS] : [])].join('.')}]`
}

function lineOf(policy: MaskPolicy, field: PolicyField): string {
  return `${field.toml} = ${writeValue(policy[field.key])}`
}

function writeValue(value: MaskPolicy[keyof MaskPolicy]): string {
  if (typeof value === 'string') return quote(value)
  return typeof value === 'object'
    ? `[${value.map((item) => quote(escapeToolName(item))).join(', ')}]`
    : String(value)
}

/** Writes a TOML basic string. JSON strings are valid ones, except for the delete character and lone surrogates. */
function quote(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll('\u007f', '\\u007F')
}

export const POLICY_TABLE: readonly string[] = ['observation_masking', 'schema1']
export const EXTENSIONS = 'extensions'

const TABLE = POLICY_TABLE.join('.')

export type ReadPolicyToml =
  | { readonly state: 'read'; readonly policy: MaskPolicy; readonly problems: readonly Phrase[] }
  | { readonly state: 'failed'; readonly reason: Phrase }

/**
 * Reads a policy from a complete `config.toml`. Other tables are ignored, and missing settings come from `defaults`.
 * An invalid value counts as missing and is reported with its line.
 */
export function readPolicyToml(
  text: string,
  defaults: MaskPolicy = DEFAULT_POLICY,
): ReadPolicyToml {
  const parsed = parseToml(text)
  if (parsed.state === 'failed') return parsed
  const table = tableAt(parsed.document, POLICY_TABLE)
  if (table === undefined)
    return { state: 'failed', reason: phrase('no_policy_table', { table: TABLE }) }
  const root = tableAt(parsed.document, POLICY_TABLE.slice(0, 1)) as object
  const lineOf = linesOf(text)
  const problems: { readonly line: number; readonly sentence: Phrase }[] = []
  const report = (path: readonly string[], reason: Phrase) => {
    const line = lineOf(path)
    const sentence = line ? phrase('line_and_reason', { n: line, reason }) : reason
    problems.push({ line: line ?? 0, sentence })
  }
  const extensions = tableAt(table, [EXTENSIONS]) ?? {}
  if (Object.hasOwn(table, EXTENSIONS) && tableAt(table, [EXTENSIONS]) === undefined) {
    report([...POLICY_TABLE, EXTENSIONS], phrase('not_a_table', { value: EXTENSIONS }))
  }
  let policy = defaults
  for (const field of POLICY_FIELDS) {
    const from = field.isExtension ? extensions : table
    if (!Object.hasOwn(from, field.toml)) continue
    const checked = checkTomlValue(field, from[field.toml])
    if (checked.state !== 'valid') report(pathOfField(field), checked.reason)
    if (checked.state !== 'invalid') policy = { ...policy, [field.key]: checked.value }
  }
  for (const [path, sentence] of unknownKeys(root, table, extensions)) report(path, sentence)
  const inOrder = problems.sort((a, b) => a.line - b.line).map(({ sentence }) => sentence)
  return { state: 'read', policy, problems: inOrder }
}

/** Checks a value of a parsed TOML file against its field. */
export function checkTomlValue(field: PolicyField, value: unknown): CheckedSetting {
  if (field.kind !== 'names' || !Array.isArray(value)) return checkSetting(field, value)
  const names = value.map((one) => (typeof one === 'string' ? unescapeToolName(one) : one))
  return checkSetting(field, names)
}

/** Path of a setting from the root of the file. */
export function pathOfField(field: { readonly toml: string; readonly isExtension: boolean }) {
  return [...POLICY_TABLE, ...(field.isExtension ? [EXTENSIONS] : []), field.toml]
}

export type ParsedToml =
  | { readonly state: 'parsed'; readonly document: object }
  | { readonly state: 'failed'; readonly reason: Phrase }

/** Parses a TOML text, or returns the reason with the location of the error. */
export function parseToml(text: string): ParsedToml {
  try {
    // Another table may have numbers beyond 2^53.
    const document = parse(text.replace(/^\ufeff/, ''), { integersAsBigInt: 'asNeeded' })
    return { state: 'parsed', document }
  } catch (error) {
    /* v8 ignore next -- @preserve The parser throws nothing else. */
    if (!(error instanceof TomlError)) throw error
    const reason = error.message.replace(/^Invalid TOML document: |\n.*/gs, '')
    const { line: n, column: m } = error
    return { state: 'failed', reason: phrase('not_toml', { n, m, reason }) }
  }
}

/** Returns the table at a path; undefined if there is none. */
export function tableAt(value: unknown, path: readonly string[]) {
  const found = path.reduce<unknown>(
    (table, key) => (isJsonObject(table) && Object.hasOwn(table, key) ? table[key] : undefined),
    value,
  )
  return isJsonObject(found) ? found : undefined
}

/** Returns a function that gives the line of a setting, or of the nearest table around it. */
function linesOf(text: string): (path: readonly string[]) => number | undefined {
  const lines = new Map<string, number>()
  for (const { path, line } of tomlEntries(text)) {
    const key = path.join('\n')
    if (!lines.has(key)) lines.set(key, line)
  }
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const line = lines.get(path.slice(0, length).join('\n'))
      if (line !== undefined) return line
    }
    return undefined
  }
}

/** A setting that stands in another table than its own is told where it belongs. */
function unknownKeys(root: object, table: object, extensions: object) {
  const inTable = (isExtension: boolean) =>
    POLICY_FIELDS.filter((field) => field.isExtension === isExtension).map(({ toml }) => toml)
  const report = (keys: readonly string[], names: readonly string[], where: readonly string[]) =>
    keys
      .filter((key) => !names.includes(key))
      .map((key): [string[], Phrase] => {
        const field = POLICY_FIELDS.find(({ toml }) => toml === key)
        const shown = { table: where.join('.'), key: JSON.stringify(key) }
        const reason =
          field === undefined
            ? phrase('unknown_setting', { ...shown, known: names })
            : phrase('setting_elsewhere', {
                ...shown,
                right: pathOfField(field).slice(0, -1).join('.'),
              })
        return [[...where, key], reason]
      })
  // A table among the extensions is that of another program.
  const extended = Object.entries(extensions).flatMap(([key, value]) =>
    isJsonObject(value) && !inTable(true).includes(key) ? [] : [key],
  )
  const outer = Object.keys(root).filter((key) => POLICY_FIELDS.some(({ toml }) => toml === key))
  return [
    ...report(outer, [], POLICY_TABLE.slice(0, 1)),
    ...report(Object.keys(table), [...inTable(false), EXTENSIONS], POLICY_TABLE),
    ...report(extended, inTable(true), [...POLICY_TABLE, EXTENSIONS]),
  ]
}
