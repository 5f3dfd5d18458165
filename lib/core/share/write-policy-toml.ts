/** Writes a policy as TOML: alone, with a comment for each key, or into a config that is there already. */
import { checkSetting } from '../policy/check-setting'
import { DEFAULT_POLICY, isSamePolicy, isSameSetting, type MaskPolicy } from '../policy/policy'
import { POLICY_FIELDS, type PolicyField } from '../policy/policy-fields'
import { applyEdits, type Edit } from '../text/span'
import {
  EXTENSIONS,
  POLICY_TABLE,
  parseToml,
  pathOfField,
  readPolicyToml,
  tableAt,
} from './policy-toml'
import { type TomlEntry, type TomlHeader, type TomlPair, tomlEntries } from './toml-entries'

/** What each key does, as a comment above it says. */
const COMMENTS: Readonly<Record<keyof MaskPolicy, string>> = {
  enabled:
    'Mask old tool results: put a short placeholder in their place. false sends everything as it is.',
  windowTurns: 'Results of the last N tool turns are kept. 0 masks nothing.',
  keepErrors: 'Keep old results that look like errors.',
  keepLastKPerTool: 'Keep the last K results of each tool, however old. 0 is off.',
  placeholderTemplate:
    'The text put in place of a result. Variables: {tool_call_id} {tool_name} {original_chars} {original_tokens} {tool_arguments}',
  batchTurns: 'The window moves once in N turns, so that a cached prefix lasts as long.',
  textParts: 'Also mask contents that are lists of text parts only.',
  excludeTools: 'Results of these tools are never masked.',
  neverGrow: 'Leave a result whose placeholder would not be fewer tokens.',
  triggerTokens: 'Mask only requests of at least N tokens. 0 masks all.',
  errorRules: 'What counts as an error for keep_errors.',
}

const NOT_SCHEMA_1 = 'Beyond Schema 1: other implementations may not know these.'

/** Writes a policy as TOML; extensions appear only when they differ from the default. */
export function writePolicyToml(policy: MaskPolicy, hasComments = false): string {
  const lines = (isExtension: boolean) =>
    POLICY_FIELDS.filter(
      (field) => field.isExtension === isExtension && !(isExtension && isDefault(policy, field)),
    ).flatMap((field) => [
      ...(hasComments ? [`# ${COMMENTS[field.key]}`] : []),
      lineOf(policy, field),
    ])
  const extensions = lines(true)
  const text = [header(false), ...lines(false)]
  if (extensions.length > 0) {
    text.push('', ...(hasComments ? [`# ${NOT_SCHEMA_1}`] : []), header(true), ...extensions)
  }
  return `${text.join('\n')}\n`
}

export type WrittenConfig =
  | { readonly state: 'written'; readonly text: string }
  | { readonly state: 'failed'; readonly reason: string }

/**
 * Writes a policy into a whole config: only the values of its table change, or are added to it; every other character
 * stays. Fails, in a sentence, rather than touch a file it does not understand.
 */
export function writePolicyIntoToml(text: string, policy: MaskPolicy): WrittenConfig {
  const before = parseToml(text)
  if (before.state === 'failed') return before
  const written = applyEdits(text, editsFor(text, before.document, policy))
  const after = parseToml(written)
  const read = readPolicyToml(written)
  const isRight =
    after.state === 'parsed' &&
    read.state === 'read' &&
    isSamePolicy(read.policy, policy) &&
    textWithout(before.document) === textWithout(after.document)
  if (isRight) return { state: 'written', text: written }
  return {
    state: 'failed',
    reason: `The table [${POLICY_TABLE.join('.')}] is written in a way that is not edited here (inline or dotted); put the table below in its place by hand.`,
  }
}

function editsFor(text: string, document: object, policy: MaskPolicy): Edit[] {
  const entries = tomlEntries(text)
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  if (!entries.some(({ path }) => startsWith(path, POLICY_TABLE))) {
    const gap = text === '' ? '' : text.endsWith('\n') ? lineEnd : lineEnd.repeat(2)
    const table = writePolicyToml(policy, true).replaceAll('\n', lineEnd)
    return [{ start: text.length, end: text.length, text: gap + table }]
  }
  const config = { text, document, entries, lineEnd }
  // Of lines added at one place the first stand first: those of the table that is there already.
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

/** A value may be written in more than one way; one that says the same stays as it is. */
function isAlready(field: PolicyField, value: unknown, policy: MaskPolicy): boolean {
  const checked = checkSetting(field, value)
  return checked.state === 'valid' && isSameSetting(checked.value, policy[field.key])
}

/** Edits of one of the two tables: values that are there, then lines for those that are not. */
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

/** Where the line that holds `from` ends, a comment behind a value included. */
function lineEndBefore(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return text[at - 1] === '\r' ? at - 1 : at
}

function pairAt(entries: readonly TomlEntry[], path: readonly string[]): TomlPair | undefined {
  return entries.find(
    (entry): entry is TomlPair =>
      entry.kind === 'pair' && entry.path.join('\n') === path.join('\n'),
  )
}

function headerAt(entries: readonly TomlEntry[], path: readonly string[]): TomlHeader | undefined {
  return entries.find(
    (entry): entry is TomlHeader =>
      entry.kind === 'header' && !entry.isOfArray && entry.path.join('\n') === path.join('\n'),
  )
}

/** End of a table's last own line: of the pairs directly behind its header, or of everything below its path. */
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

/** The document but for the policy's own table, as a text to compare. */
function textWithout(document: object): string {
  return JSON.stringify(without(document), (_, value) =>
    typeof value === 'bigint' ? `${value}n` : value,
  )
}

function without(document: object): unknown {
  const [outer, inner] = POLICY_TABLE as [string, string]
  const { [inner]: _, ...others } = tableAt(document, [outer]) ?? {}
  const rest = Object.entries(document).filter(([key]) => key !== outer)
  // An outer table that held nothing else may come or go with it.
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
  return typeof value === 'object' ? `[${value.map(quote).join(', ')}]` : String(value)
}

/** A JSON string is a TOML basic string, but for the delete character and lone surrogates. */
function quote(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll('\u007f', '\\u007F')
}
