/** The flags of the policy, one for each row of `POLICY_FIELDS`. They override a `config.toml`. */

import { checkSetting, isNumber } from '../core/policy/check-setting'
import type { MaskPolicy, PolicyField } from '../core/policy/policy'
import { DEFAULT_POLICY, POLICY_FIELDS, policyField } from '../core/policy/policy'
import { readPolicyToml } from '../core/share/toml/policy-toml'
import { readToolList } from '../core/share/tool-names'
import { inEnglish } from '../core/words/english'
import settings from '../core/words/settings.json' with { type: 'json' }
import { type Flag, flag, type ParsedFlags, UsageError } from './flags'
import { readText } from './read-input'
import type { CommandContext } from './run-command'

/** Commands mask by default; a flag or the config can switch masking off. */
const COMMAND_DEFAULTS: MaskPolicy = { ...DEFAULT_POLICY, enabled: true }

const SHOWN: Readonly<Record<PolicyField['kind'], string | undefined>> = {
  flag: undefined,
  number: 'N',
  text: 'TEXT',
  choice: 'WORD',
  names: 'a,b',
  rules: 'a,b',
}

/** The flag of a setting: its TOML name with dashes. */
function flagName(field: PolicyField): string {
  return field.toml.replaceAll('_', '-')
}

const ENABLED_FLAG = flagName(policyField('enabled'))

/** `--config` and one flag for each setting. */
export const POLICY_FLAGS: readonly Flag[] = [
  flag('config', 'TOML with [observation_masking.schema1]; flags override it', 'FILE'),
  ...POLICY_FIELDS.map((field) => {
    const { flag: help } = settings[field.key]
    const options =
      field.kind === 'rules' || field.kind === 'choice' ? `: ${field.options.join(', ')}` : ''
    const shown = field.kind === 'number' && field.hasAuto ? 'N|auto' : SHOWN[field.kind]
    return flag(flagName(field), `${help}${options}`, shown)
  }),
]

/** The policy of a command. Says so if its `--config` switches masking off. */
export async function readPolicy(flags: ParsedFlags, context: CommandContext): Promise<MaskPolicy> {
  const name = flags.text('config')
  const config = name === undefined ? undefined : { name, text: await readText(name, context) }
  const policy = policyFromFlags(flags, config)
  const isSwitchedOff = !policy.enabled && flags.values.get(ENABLED_FLAG) === undefined
  if (config !== undefined && isSwitchedOff) {
    const effect =
      flags.values.get('sweep') === true
        ? '; the sweep shows what masking would do.'
        : ', so nothing is masked; --enabled masks all the same.'
    context.warn(`${config.name} has enabled = false${effect}`)
  }
  return policy
}

/** Reads the policy from flags and config. Throws a `UsageError` that names the first invalid value. */
export function policyFromFlags(
  { values }: ParsedFlags,
  config: { readonly name: string; readonly text: string } | undefined,
): MaskPolicy {
  let policy = config === undefined ? COMMAND_DEFAULTS : policyFromConfig(config)
  for (const field of POLICY_FIELDS) {
    const given = values.get(flagName(field))
    if (given === undefined) continue
    const value = readFlagValue(field, given)
    policy = { ...policy, [field.key]: checkedValue(field, value, `--${flagName(field)}`) }
  }
  return policy
}

/** The policy with a setting by its name in TOML. Throws a `UsageError` that says what is expected. */
export function withSetting(policy: MaskPolicy, name: string, text: string): MaskPolicy {
  const field = POLICY_FIELDS.find(({ toml }) => toml === name)
  if (field === undefined)
    throw new UsageError(
      `--set "${name}" is no setting of schema1; expected ${POLICY_FIELDS.map(({ toml }) => toml).join(', ')}.`,
    )
  const isSwitch = field.kind === 'flag' && /^(true|false)$/.test(text)
  const value = isSwitch ? text === 'true' : readFlagValue(field, text)
  return { ...policy, [field.key]: checkedValue(field, value, `--set ${name}`) }
}

/** Files and links are read as far as possible, but a command line with an invalid value is refused. */
function checkedValue(field: PolicyField, value: unknown, name: string) {
  // A negative window means "off" in files; on a command line it is more likely a mistake.
  if (field.kind === 'number' && typeof value === 'number' && value < field.minimum)
    throw new UsageError(`${name} is ${value}; expected ${field.minimum} to ${field.maximum}.`)
  const checked = checkSetting(field, value, name)
  if (checked.state !== 'valid') throw new UsageError(inEnglish(checked.reason))
  return checked.value
}

function policyFromConfig(config: { readonly name: string; readonly text: string }): MaskPolicy {
  const read = readPolicyToml(config.text, COMMAND_DEFAULTS)
  if (read.state === 'failed') throw new UsageError(`${config.name}: ${inEnglish(read.reason)}`)
  if (read.problems.length > 0)
    throw new UsageError(`${config.name}: ${read.problems.map(inEnglish).join(' ')}`)
  return read.policy
}

function readFlagValue(field: PolicyField, given: string | boolean): unknown {
  if (typeof given === 'boolean') return given
  switch (field.kind) {
    case 'number':
      return isNumber(field, given.replace(/^\+/, '')) ? Number(given) : given
    case 'names':
    case 'rules':
      return readToolList(given)
    case 'flag':
    case 'text':
    case 'choice':
      return given
  }
}
