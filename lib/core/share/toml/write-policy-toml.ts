/** Writes a policy as TOML: on its own, with a comment for each key, or into an existing config. */

import {
  DEFAULT_POLICY,
  isSamePolicy,
  isSameSetting,
  type MaskPolicy,
  POLICY_FIELDS,
  type PolicyField,
} from '../../policy/policy'
import { applyEdits, type Edit } from '../../text/span'
import { ENGLISH_COMMENTS, type Say, sayIn } from '../../words/comments'
import { type Catalogue, type Phrase, phrase } from '../../words/words'
import { escapeToolName } from '../tool-names'
import {
  checkTomlValue,
  EXTENSIONS,
  POLICY_TABLE,
  parseToml,
  pathOfField,
  readPolicyToml,
  tableAt,
} from './read-policy-toml'
import { type TomlEntry, type TomlHeader, type TomlPair, tomlEntries } from './toml-entries'

/** Writes a policy as TOML, with a comment above each key on request. Extensions are included only if they differ from the default. */
export function writePolicyToml(policy: MaskPolicy, comments: boolean | Say = false): string {
  const say = comments === true ? sayIn(ENGLISH_COMMENTS) : comments
  const lines = (isExtension: boolean) =>
    POLICY_FIELDS.filter(
      (field) => field.isExtension === isExtension && !(isExtension && isDefault(policy, field)),
    ).flatMap((field) => [...(say ? [`# ${say(field.key)}`] : []), lineOf(policy, field)])
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
  return {
    state: 'failed',
    reason: phrase('table_not_editable', { table: POLICY_TABLE.join('.') }),
  }
}

function editsFor(text: string, document: object, policy: MaskPolicy, say: Say): Edit[] {
  const entries = tomlEntries(text)
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  if (!entries.some(({ path }) => startsWith(path, POLICY_TABLE))) {
    const gap = text === '' ? '' : text.endsWith('\n') ? lineEnd : lineEnd.repeat(2)
    const table = writePolicyToml(policy, say).replaceAll('\n', lineEnd)
    return [{ start: text.length, end: text.length, text: gap + table }]
  }
  const config = { text, document, entries, lineEnd }
  // Of lines inserted at the same offset, those of the existing table come first.
  const hasMain = headerAt(entries, POLICY_TABLE) !== undefined
  return [!hasMain, hasMain]
    .flatMap((isExtension) => tableEdits(config, policy, isExtension))
    .sort((a, b) => a.start - b.start)
}

interface Config {
  readonly text: string
  readonly document: object
  readonly entries: readonly TomlEntry[]
  readonly lineEnd: string
}

/** True if the value already equals the policy's, so that its notation stays. */
function isAlready(field: PolicyField, value: unknown, policy: MaskPolicy): boolean {
  const checked = checkTomlValue(field, value)
  return checked.state === 'valid' && isSameSetting(checked.value, policy[field.key])
}

/** Returns the edits of one of the two tables: changed values, then lines for missing ones. */
function tableEdits(
  { text, document, entries, lineEnd }: Config,
  policy: MaskPolicy,
  isExtension: boolean,
): Edit[] {
  const path = isExtension ? [...POLICY_TABLE, EXTENSIONS] : POLICY_TABLE
  const values = tableAt(document, path) ?? {}
  const edits: Edit[] = []
  const missing: PolicyField[] = []
  for (const field of POLICY_FIELDS.filter((field) => field.isExtension === isExtension)) {
    const pair = pairAt(entries, pathOfField(field))
    if (pair === undefined) {
      if (!isDefault(policy, field)) missing.push(field)
    } else if (!isAlready(field, values[field.toml], policy)) {
      edits.push({ ...pair.value, text: writeValue(policy[field.key]) })
    }
  }
  if (missing.length === 0) return edits
  const lines = missing.map((field) => lineEnd + lineOf(policy, field)).join('')
  const table = headerAt(entries, path)
  const end = table === undefined ? lastEnd(entries, POLICY_TABLE) : lastEnd(entries, path, table)
  const at = text.indexOf('\n', end) === -1 ? text.length : lineEndBefore(text, end)
  const head = table === undefined ? `${lineEnd}${lineEnd}${header(isExtension)}` : ''
  edits.push({ start: at, end: at, text: head + lines })
  return edits
}

/** End of the line at `from`, after a comment. */
function lineEndBefore(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return text[at - 1] === '\r' ? at - 1 : at
}

function isAt({ path: own }: TomlEntry, path: readonly string[]): boolean {
  return own.join('\n') === path.join('\n')
}

function pairAt(entries: readonly TomlEntry[], path: readonly string[]): TomlPair | undefined {
  return entries.filter((entry) => entry.kind === 'pair').find((pair) => isAt(pair, path))
}

function headerAt(entries: readonly TomlEntry[], path: readonly string[]): TomlHeader | undefined {
  const headers = entries.filter((entry) => entry.kind === 'header')
  return headers.find((header) => !header.isOfArray && isAt(header, path))
}

/** End of a table's last line: of the pairs directly after its header, or of everything below its path. */
function lastEnd(
  entries: readonly TomlEntry[],
  path: readonly string[],
  table?: TomlHeader,
): number {
  if (table === undefined) {
    const last = entries.findLast((entry) => startsWith(entry.path, path)) as TomlEntry
    return last.kind === 'pair' ? last.value.end : last.end
  }
  let end = table.end
  for (const entry of entries.slice(entries.indexOf(table) + 1)) {
    if (entry.kind === 'header') break
    end = entry.value.end
  }
  return end
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
  return [...rest, ...(Object.keys(others).length > 0 ? [[outer, others]] : [])].sort(byKey)
}

function byKey([a]: unknown[], [b]: unknown[]): number {
  return String(a) < String(b) ? -1 : 1
}

function header(isExtension: boolean): string {
  return `[${[...POLICY_TABLE, ...(isExtension ? [EXTENSIONS] : [])].join('.')}]`
}

function isDefault(policy: MaskPolicy, { key }: PolicyField): boolean {
  return isSameSetting(policy[key], DEFAULT_POLICY[key])
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
