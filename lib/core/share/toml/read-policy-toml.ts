/** Reads a policy from the table `[observation_masking.schema1]` of the proxy's `config.toml`. */

import { parse, TomlError } from 'smol-toml'
import { type CheckedSetting, checkSetting } from '../../policy/check-setting'
import type { MaskPolicy, PolicyField } from '../../policy/policy'
import { DEFAULT_POLICY, POLICY_FIELDS } from '../../policy/policy'
import { isJsonObject } from '../../text/json'
import { type Phrase, phrase } from '../../words/words'
import { unescapeToolName } from '../tool-names'
import { tomlEntries } from './toml-entries'

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
  const checked = checkSetting(field, value)
  if (field.kind !== 'names' || checked.state === 'invalid') return checked
  return checkSetting(field, (checked.value as readonly string[]).map(unescapeToolName))
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
