/** Writes a policy as TOML: on its own, with a comment for each key, or into an existing config. */

import type { MaskPolicy, PolicyField } from '../../policy/policy'
import {
  isDefault,
  isSamePolicy,
  isSameSetting,
  POLICY_FIELDS,
  writtenFields,
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
