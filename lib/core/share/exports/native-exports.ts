/** Exports for this project's programs: config, JSON, proxy and command line. All match the policy exactly. */
import { strToU8 } from 'fflate'
import { isDefault, type MaskPolicy, POLICY_FIELDS, writtenFields } from '../../policy/policy'
import { writePolicyToml } from '../toml/policy-toml'
import { writeToolList } from '../tool-names'
import type { ExportInput, WriteExport } from './export-target'

export const toml: WriteExport = ({ policy }, say) => writePolicyToml(policy, say)

export const json: WriteExport = ({ policy }) => `${JSON.stringify(policyJson(policy), null, 2)}\n`

/** Returns the policy under its published names. Extensions are separate, and only those that differ. */
export function policyJson(policy: MaskPolicy): object {
  const entries = (isExtension: boolean) =>
    writtenFields(policy, isExtension).map(({ toml, key }) => [toml, policy[key]] as const)
  const extensions = entries(true)
  return {
    ...Object.fromEntries(entries(false)),
    ...(extensions.length > 0 ? { extensions: Object.fromEntries(extensions) } : {}),
  }
}

/** Writes the command line. Masking is its default, so only `--no-enabled` is written. */
export function command({ policy, fileName }: ExportInput): string {
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

/** Quotes text for a POSIX shell. Control characters are spelled out, since a terminal acts on those that are pasted. */
function quoted(text: string): string {
  if (/^[\w./=:,@%+-]+$/.test(text)) return text
  const spelled = (char: string) =>
    Array.from(strToU8(char), (byte) => `\\${byte.toString(8).padStart(3, '0')}`)
  const body = text
    .replaceAll("'", "'\\''")
    .replace(CONTROLS, (char) => `'"$(printf '${spelled(char).join('')}')"'`)
  return `'${body}'`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is spelled out; a line end would be lost
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g
