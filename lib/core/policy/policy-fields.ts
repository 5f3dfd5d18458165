/**
 * The table of the settings. Validation, form, link, TOML and command line are derived from it. To add a setting, add a
 * line to `MaskPolicy`, a row here, and its use in `decide`.
 */
import { ALL_ERROR_RULES, type ErrorRule } from '../conversation/conversation'
import { DEFAULT_POLICY, type MaskPolicy } from './policy'

interface FieldBase<Key extends keyof MaskPolicy> {
  readonly key: Key
  /** Name in TOML and in published policies. */
  readonly toml: string
  /** Name in a link. */
  readonly short: string
  /** Extensions have their own table in TOML, and are written only if they differ from the default. */
  readonly isExtension: boolean
  readonly defaultValue: MaskPolicy[Key]
}

type KeysOf<Value> = {
  [Key in keyof MaskPolicy]: MaskPolicy[Key] extends Value ? Key : never
}[keyof MaskPolicy]

export interface FlagField extends FieldBase<KeysOf<boolean>> {
  readonly kind: 'flag'
}
export interface IntegerField extends FieldBase<KeysOf<number>> {
  readonly kind: 'integer'
  readonly minimum: number
  readonly maximum: number
  readonly unit: 'turns' | 'results' | 'tokens'
  /** True if published policies also write "off" as null. */
  readonly isNullable: boolean
}
export interface TextField extends FieldBase<'placeholderTemplate'> {
  readonly kind: 'text'
  readonly maximumLength: number
}
export interface NamesField extends FieldBase<'excludeTools' | 'errorPatterns'> {
  readonly kind: 'names'
  /** What is listed, for sentences. */
  readonly items: 'tool_names' | 'texts'
  /** Largest number of items, and their largest length; other items are left out. */
  readonly limit?: { readonly items: number; readonly length: number }
}
export interface RulesField extends FieldBase<'errorRules'> {
  readonly kind: 'rules'
  readonly options: readonly ErrorRule[]
}

export type PolicyField = FlagField | IntegerField | TextField | NamesField | RulesField

const MANY = 1_000_000

function flag(key: FlagField['key'], toml: string, short: string, isExtension = false): FlagField {
  return { kind: 'flag', key, toml, short, isExtension, defaultValue: DEFAULT_POLICY[key] }
}

function integer(
  key: IntegerField['key'],
  toml: string,
  short: string,
  unit: IntegerField['unit'],
  rest: Partial<Pick<IntegerField, 'isExtension' | 'isNullable' | 'minimum' | 'maximum'>> = {},
): IntegerField {
  const base = { isExtension: false, isNullable: false, minimum: 0, maximum: MANY }
  return {
    kind: 'integer',
    key,
    toml,
    short,
    unit,
    ...base,
    ...rest,
    defaultValue: DEFAULT_POLICY[key],
  }
}

/** The settings, in the order in which files and forms show them. */
export const POLICY_FIELDS: readonly PolicyField[] = [
  flag('enabled', 'enabled', 'e'),
  integer('windowTurns', 'window_turns', 'w', 'turns'),
  flag('keepErrors', 'keep_errors', 'ke'),
  integer('keepLastKPerTool', 'keep_last_k_per_tool', 'k', 'results', { isNullable: true }),
  {
    kind: 'text',
    key: 'placeholderTemplate',
    toml: 'placeholder_template',
    short: 'p',
    isExtension: false,
    defaultValue: DEFAULT_POLICY.placeholderTemplate,
    maximumLength: 2_000,
  },
  integer('batchTurns', 'batch_turns', 'b', 'turns', { isExtension: true, minimum: 1 }),
  flag('textParts', 'text_parts', 'tp', true),
  {
    kind: 'names',
    key: 'excludeTools',
    toml: 'exclude_tools',
    short: 'x',
    isExtension: true,
    defaultValue: DEFAULT_POLICY.excludeTools,
    items: 'tool_names',
  },
  flag('neverGrow', 'never_grow', 'ng', true),
  integer('triggerTokens', 'trigger_tokens', 't', 'tokens', {
    isExtension: true,
    maximum: 100 * MANY,
  }),
  {
    kind: 'rules',
    key: 'errorRules',
    toml: 'error_rules',
    short: 'er',
    isExtension: true,
    defaultValue: DEFAULT_POLICY.errorRules,
    options: ALL_ERROR_RULES,
  },
  {
    kind: 'names',
    key: 'errorPatterns',
    toml: 'error_patterns',
    short: 'ep',
    isExtension: true,
    defaultValue: DEFAULT_POLICY.errorPatterns,
    items: 'texts',
    limit: { items: 50, length: 200 },
  },
  flag('linkByOrder', 'link_by_order', 'lo', true),
]

/** The row of a setting. */
export function policyField(key: keyof MaskPolicy): PolicyField {
  return POLICY_FIELDS.find((field) => field.key === key) as PolicyField
}
