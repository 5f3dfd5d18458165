/** This project's own forms: its config, JSON, its library and its command line. All say exactly what the policy says. */
import { DEFAULT_POLICY, isSameSetting, type MaskPolicy } from '../../policy/policy'
import { POLICY_FIELDS } from '../../policy/policy-fields'
import { writePolicyToml } from '../write-policy-toml'
import { type ExportId, type ExportInput, type ExportTarget, maskedBy, note } from './export-target'

function exact(
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

export const toml = exact('toml', 'config.toml', 'application/toml', ({ policy }) =>
  writePolicyToml(policy, true),
)

export const json = exact('json', 'policy.json', 'application/json', ({ policy }) => {
  return `${JSON.stringify(policyJson(policy), null, 2)}\n`
})

export const library = exact('library', 'mask.ts', 'text/typescript', ({ policy }) =>
  librarySource(policy),
)

export const command = exact('command', 'mask.sh', 'text/x-shellscript', commandLine)

/** The policy under its published names; extensions apart, only those that differ. */
export function policyJson(policy: MaskPolicy): object {
  const entries = (isExtension: boolean) =>
    POLICY_FIELDS.filter(
      (field) => field.isExtension === isExtension && !(isExtension && isDefault(policy, field)),
    ).map(({ toml, key }) => [toml, policy[key]] as const)
  const extensions = entries(true)
  return {
    ...Object.fromEntries(entries(false)),
    ...(extensions.length > 0 ? { extensions: Object.fromEntries(extensions) } : {}),
  }
}

function isDefault(policy: MaskPolicy, { key }: { readonly key: keyof MaskPolicy }): boolean {
  return isSameSetting(policy[key], DEFAULT_POLICY[key])
}

function librarySource(policy: MaskPolicy): string {
  const changed = POLICY_FIELDS.filter((field) => !isDefault(policy, field))
  const lines = changed.map(({ key }) => `  ${key}: ${JSON.stringify(policy[key])},`)
  const needsTokens =
    policy.neverGrow ||
    policy.triggerTokens > 0 ||
    policy.placeholderTemplate.includes('{original_tokens}')
  const names = [
    'DEFAULT_POLICY',
    ...(needsTokens ? ['loadEncoding'] : []),
    'type MaskPolicy',
    'maskOldToolResults',
  ]
  return `import { ${names.join(', ')} } from './lib/core'

const policy: MaskPolicy = {
  ...DEFAULT_POLICY,
${lines.join('\n')}${lines.length > 0 ? '\n' : ''}}
${needsTokens ? "\nconst { countTokens } = await loadEncoding('o200k_base')\n" : ''}
/** Messages of /chat/completions in, the same with old tool results masked out. */
export function mask<Message>(messages: readonly Message[]): readonly Message[] {
  return maskOldToolResults(messages, policy${needsTokens ? ', countTokens' : ''})
}
`
}

/** The command line masks unless told otherwise, so only that is said of `enabled`. */
function commandLine({ policy, fileName }: ExportInput): string {
  const flags = POLICY_FIELDS.flatMap((field) => {
    const { key, toml, kind } = field
    const value = policy[key]
    const name = `--${toml.replaceAll('_', '-')}`
    if (key === 'enabled') return value === true ? [] : ['--no-enabled']
    if (isDefault(policy, field)) return []
    if (kind === 'flag') return [value === true ? name : name.replace('--', '--no-')]
    return [`${name}=${typeof value === 'object' ? value.join(',') : value}`]
  })
  // A name that begins with a dash would be a flag.
  const path = fileName.startsWith('-') ? `./${fileName}` : fileName
  const parts = ['npm run --silent mask --', quoted(path), ...flags.map(quoted)]
  return `${parts.join(' \\\n  ')}\n`
}

/** As a POSIX shell takes it literally. */
function quoted(text: string): string {
  return /^[\w./=:,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
