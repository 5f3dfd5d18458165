/** Exports for this project: config, JSON, library call and command line. All match the policy exactly. */
import { DEFAULT_POLICY, isSameSetting, type MaskPolicy } from '../../policy/policy'
import { POLICY_FIELDS } from '../../policy/policy-fields'
import { writePolicyToml } from '../toml/write-policy-toml'
import { writeToolList } from '../tool-names'
import { type ExportId, type ExportInput, type ExportTarget, maskedBy, note } from './export-target'

function exactTarget(
  id: ExportId,
  fileName: string,
  mediaType: string,
  text: (input: ExportInput) => string,
): ExportTarget {
  const write = (input: ExportInput) => ({
    text: text(input),
    notes: [note('exact')],
    cleared: maskedBy(input),
  })
  return { id, fileName, mediaType, write }
}

export const toml = exactTarget('toml', 'config.toml', 'application/toml', ({ policy }) =>
  writePolicyToml(policy, true),
)

export const json = exactTarget('json', 'policy.json', 'application/json', ({ policy }) => {
  return `${JSON.stringify(policyJson(policy), null, 2)}\n`
})

export const library = exactTarget('library', 'mask.ts', 'text/typescript', ({ policy }) =>
  librarySource(policy),
)

export const fetchWrapper = exactTarget(
  'fetch',
  'masking-fetch.ts',
  'text/typescript',
  ({ policy }) => fetchSource(policy),
)

export const proxy = exactTarget('proxy', 'policy.toml', 'application/toml', ({ policy }) =>
  writePolicyToml(policy, true),
)

export const command = exactTarget('command', 'mask.sh', 'text/x-shellscript', commandLine)

/** Returns the policy under its published names. Extensions are separate, and only those that differ. */
export function policyJson(policy: MaskPolicy): object {
  const entries = (isExtension: boolean) =>
    writtenFields(policy)
      .filter((field) => field.isExtension === isExtension)
      .map(({ toml, key }) => [toml, policy[key]] as const)
  const extensions = entries(true)
  return {
    ...Object.fromEntries(entries(false)),
    ...(extensions.length > 0 ? { extensions: Object.fromEntries(extensions) } : {}),
  }
}

function isDefault(policy: MaskPolicy, { key }: { readonly key: keyof MaskPolicy }): boolean {
  return isSameSetting(policy[key], DEFAULT_POLICY[key])
}

/** The settings of Schema 1, and the extensions that differ from their defaults. */
function writtenFields(policy: MaskPolicy) {
  return POLICY_FIELDS.filter((field) => !(field.isExtension && isDefault(policy, field)))
}

/** The settings as the members of an object in TypeScript. */
function settingsSource(policy: MaskPolicy): string {
  return writtenFields(policy)
    .map(({ key }) => `  ${key}: ${JSON.stringify(policy[key])},\n`)
    .join('')
}

function countsTokens({ neverGrow, triggerTokens, placeholderTemplate }: MaskPolicy): boolean {
  return neverGrow || triggerTokens > 0 || placeholderTemplate.includes('{original_tokens}')
}

const LOAD_COUNTER = "\nconst { countTokens } = await loadEncoding('o200k_base')\n"

function librarySource(policy: MaskPolicy): string {
  const isCounting = countsTokens(policy)
  const names = [
    'DEFAULT_POLICY',
    ...(isCounting ? ['loadEncoding'] : []),
    'type MaskPolicy',
    'maskOldToolResults',
  ]
  return `import { ${names.join(', ')} } from 'observation-masking'

const policy: MaskPolicy = {
  ...DEFAULT_POLICY,
${settingsSource(policy)}}
${isCounting ? LOAD_COUNTER : ''}
/** Masks old tool results in /chat/completions messages. */
export function mask<Message>(messages: readonly Message[]): readonly Message[] {
  return maskOldToolResults(messages, policy${isCounting ? ', countTokens' : ''})
}
`
}

function fetchSource(policy: MaskPolicy): string {
  const isCounting = countsTokens(policy)
  const imports = [
    ...(isCounting ? ["import { loadEncoding } from 'observation-masking'"] : []),
    "import { type PolicySource, withObservationMasking } from 'observation-masking/fetch'",
  ]
  return `${imports.join('\n')}

const policy: PolicySource = {
${settingsSource(policy)}}
${isCounting ? LOAD_COUNTER : ''}
/** A fetch that masks old tool results, and sends every other request as it is. */
export const maskingFetch = withObservationMasking(fetch, policy${isCounting ? ', { countTokens }' : ''})
`
}

/** Writes the command line. Masking is its default, so only `--no-enabled` is written. */
function commandLine({ policy, fileName }: ExportInput): string {
  const flags = POLICY_FIELDS.flatMap((field) => {
    const { key, toml, kind } = field
    const value = policy[key]
    const name = `--${toml.replaceAll('_', '-')}`
    if (key === 'enabled') return value === true ? [] : ['--no-enabled']
    if (isDefault(policy, field)) return []
    if (kind === 'flag') return [value === true ? name : name.replace('--', '--no-')]
    return [`${name}=${typeof value === 'object' ? writeToolList(value) : value}`]
  })
  // A name that starts with a dash would be a flag.
  const path = fileName.startsWith('-') ? `./${fileName}` : fileName
  const parts = ['npx observation-masking mask', quoted(path), ...flags.map(quoted)]
  return `${parts.join(' \\\n  ')}\n`
}

/** Quotes text for a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./=:,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
