/** The policy as the proxy's `config.toml` has it: `[observation_masking.schema1]`, extensions in a table of their own. */
import { parse, TomlError } from 'smol-toml'
import { isJsonObject } from '../conversation/chat-message'
import { checkSetting } from '../policy/check-setting'
import { DEFAULT_POLICY, isSameSetting, type MaskPolicy } from '../policy/policy'
import { POLICY_FIELDS } from '../policy/policy-fields'

const TABLE = 'observation_masking.schema1'
const EXTENSIONS = 'extensions'

export type ReadPolicyToml =
  | { readonly state: 'read'; readonly policy: MaskPolicy; readonly problems: readonly string[] }
  | { readonly state: 'failed'; readonly reason: string }

/**
 * Reads a policy from a whole `config.toml`; other tables are ignored, settings left out are those of `defaults`.
 * A value that cannot be used keeps its default and is a problem, a sentence of English.
 */
export function readPolicyToml(
  text: string,
  defaults: MaskPolicy = DEFAULT_POLICY,
): ReadPolicyToml {
  let document: unknown
  try {
    document = parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const reason = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '')
    return {
      state: 'failed',
      reason: `Line ${error.line}, column ${error.column}: not TOML (${reason}).`,
    }
  }
  const table = TABLE.split('.').reduce<unknown>(
    (value, key) => (isJsonObject(value) ? value[key] : undefined),
    document,
  )
  if (!isJsonObject(table))
    return { state: 'failed', reason: `There is no table [${TABLE}] in it.` }
  const extensions = isJsonObject(table[EXTENSIONS]) ? table[EXTENSIONS] : {}
  const problems: string[] = []
  let policy = defaults
  for (const field of POLICY_FIELDS) {
    const from = field.isExtension ? extensions : table
    if (!Object.hasOwn(from, field.toml)) continue
    const checked = checkSetting(field, from[field.toml])
    if (checked.state !== 'valid') problems.push(checked.reason)
    if (checked.state !== 'invalid') policy = { ...policy, [field.key]: checked.value }
  }
  problems.push(...unknownKeys(table, extensions))
  return { state: 'read', policy, problems }
}

function unknownKeys(table: object, extensions: object): string[] {
  const known = (isExtension: boolean) =>
    POLICY_FIELDS.filter((field) => field.isExtension === isExtension).map(({ toml }) => toml)
  const report = (keys: string[], names: string[], where: string) =>
    keys
      .filter((key) => !names.includes(key))
      .map(
        (key) => `[${where}] has no setting ${JSON.stringify(key)}; known are ${names.join(', ')}.`,
      )
  return [
    ...report(Object.keys(table), [...known(false), EXTENSIONS], TABLE),
    ...report(Object.keys(extensions), known(true), `${TABLE}.${EXTENSIONS}`),
  ]
}

/** Writes a policy as TOML; extensions appear only when they differ from the default. */
export function writePolicyToml(policy: MaskPolicy): string {
  const lines = (isExtension: boolean) =>
    POLICY_FIELDS.filter(
      (field) =>
        field.isExtension === isExtension &&
        !(isExtension && isSameSetting(policy[field.key], DEFAULT_POLICY[field.key])),
    ).map((field) => `${field.toml} = ${writeValue(policy[field.key])}`)
  const extensions = lines(true)
  const text = [`[${TABLE}]`, ...lines(false)]
  if (extensions.length > 0) text.push('', `[${TABLE}.${EXTENSIONS}]`, ...extensions)
  return `${text.join('\n')}\n`
}

function writeValue(value: MaskPolicy[keyof MaskPolicy]): string {
  if (typeof value === 'string') return quote(value)
  return typeof value === 'object' ? `[${value.map(quote).join(', ')}]` : String(value)
}

/** A JSON string is a TOML basic string, but for the delete character and lone surrogates. */
function quote(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll('\u007f', '\\u007F')
}
