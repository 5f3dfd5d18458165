import { ALL_ERROR_RULES, ERROR_RULES, type ErrorRule } from '../conversation/conversation'

/**
 * The settings of Schema 1 observation masking and of its extensions.
 * The default is exactly Schema 1, switched off.
 */
export interface MaskPolicy {
  readonly enabled: boolean
  /** Results of the last N tool turns are kept; 0 or less masks nothing. */
  readonly windowTurns: number
  readonly keepErrors: boolean
  /** The last K results of each tool name, and every result with one of their call ids, are kept; 0 is off. */
  readonly keepLastKPerTool: number
  readonly placeholderTemplate: string
  /** The window moves in steps of this many turns, or at break-even; 1 is Schema 1. */
  readonly batchTurns: number | 'auto'
  /** Also mask contents that are lists of text parts only. */
  readonly textParts: boolean
  /** Tool names never masked. */
  readonly excludeTools: readonly string[]
  /** Keep a result whose placeholder does not have fewer tokens. */
  readonly neverGrow: boolean
  /** Mask only requests that have at least this many tokens before masking; 0 masks all. */
  readonly triggerTokens: number
  /** The error rules that `keepErrors` uses. */
  readonly errorRules: readonly ErrorRule[]
  /** Texts of the user that mark a result as an error too; the case of ASCII letters is ignored. */
  readonly errorPatterns: readonly string[]
  /** Also mask results without an id, linked to calls without one by tool name and order. */
  readonly linkByOrder: boolean
  /** A result belongs to the nearest call before it with its id, not to the last one. */
  readonly nearestCall: boolean
  /** Results before signed thinking, where the model refuses a request in which they have changed. */
  readonly beforeSignedThinking: 'keep' | 'mask'
  /** Prices of a token read from the cache, and written to it, as parts of the input price; `auto` is the model's. */
  readonly cacheReadRatio: number | 'auto'
  readonly cacheWriteRatio: number | 'auto'
}

export const DEFAULT_PLACEHOLDER =
  "[Observation masquée: résultat d'outil ancien (tool_call_id={tool_call_id}, outil={tool_name}, chars={original_chars})]"

export const DEFAULT_POLICY: MaskPolicy = {
  enabled: false,
  windowTurns: 8,
  keepErrors: true,
  keepLastKPerTool: 0,
  placeholderTemplate: DEFAULT_PLACEHOLDER,
  batchTurns: 1,
  textParts: false,
  excludeTools: [],
  neverGrow: false,
  triggerTokens: 0,
  errorRules: ERROR_RULES,
  errorPatterns: [],
  linkByOrder: false,
  nearestCall: false,
  beforeSignedThinking: 'keep',
  cacheReadRatio: 'auto',
  cacheWriteRatio: 'auto',
}

/** The batch in sentences and as a count of turns: 0 if the window moves at break-even. */
export function batchNumber({ batchTurns }: Pick<MaskPolicy, 'batchTurns'>): number {
  return batchTurns === 'auto' ? 0 : Math.max(1, batchTurns)
}

/** True if two values of a policy field are the same setting; lists are compared as sets. */
export function isSameSetting(a: MaskPolicy[keyof MaskPolicy], b: MaskPolicy[keyof MaskPolicy]) {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b
  const left = new Set<unknown>(a)
  const right = new Set<unknown>(b)
  return left.size === right.size && [...left].every((item) => right.has(item))
}

/** True if all settings of two policies are the same. */
export function isSamePolicy(a: MaskPolicy, b: MaskPolicy): boolean {
  return (Object.keys(DEFAULT_POLICY) as (keyof MaskPolicy)[]).every((key) =>
    isSameSetting(a[key], b[key]),
  )
}

/** True if results can be decided only with token counts. */
export function needsCounts(policy: MaskPolicy): boolean {
  const { neverGrow, triggerTokens, placeholderTemplate } = policy
  return neverGrow || triggerTokens > 0 || placeholderTemplate.includes('{original_tokens}')
}

/** A row of the table of settings, from which validation, form, link, TOML and command line are derived. */
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
export interface NumericField extends FieldBase<KeysOf<number | 'auto'>> {
  readonly kind: 'number'
  readonly isWhole: boolean
  /** True if `auto` is a value too. */
  readonly hasAuto: boolean
  readonly minimum: number
  readonly maximum: number
  readonly unit: 'turns' | 'results' | 'tokens' | 'ratio'
  /** True if published policies also write "off" as null. */
  readonly isNullable: boolean
}
export interface TextField extends FieldBase<'placeholderTemplate'> {
  readonly kind: 'text'
  readonly maximumLength: number
}
export interface ChoiceField extends FieldBase<'beforeSignedThinking'> {
  readonly kind: 'choice'
  readonly options: readonly MaskPolicy['beforeSignedThinking'][]
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

export type PolicyField =
  | FlagField
  | NumericField
  | TextField
  | ChoiceField
  | NamesField
  | RulesField

const MANY = 1_000_000
const RATIO = { isExtension: true, isWhole: false, hasAuto: true, maximum: 10 }

/** What every row has: `keepErrors` is `keep_errors` in files. */
function row<Key extends keyof MaskPolicy>(key: Key, short: string, isExtension: boolean) {
  const toml = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return { key, toml, short, isExtension, defaultValue: DEFAULT_POLICY[key] }
}

function flag(key: FlagField['key'], short: string, isExtension = false): FlagField {
  return { kind: 'flag', ...row(key, short, isExtension) }
}

function number(
  key: NumericField['key'],
  short: string,
  unit: NumericField['unit'],
  rest: Partial<Omit<NumericField, 'kind' | 'key' | 'short' | 'unit'>> = {},
): NumericField {
  const base = { isNullable: false, hasAuto: false, minimum: 0, maximum: MANY }
  return { kind: 'number', unit, isWhole: true, ...base, ...row(key, short, false), ...rest }
}

/** The settings, in the order in which files and forms show them. Validation, form, link, TOML and command line read it. */
export const POLICY_FIELDS: readonly PolicyField[] = [
  flag('enabled', 'e'),
  number('windowTurns', 'w', 'turns'),
  flag('keepErrors', 'ke'),
  number('keepLastKPerTool', 'k', 'results', { isNullable: true }),
  { kind: 'text', ...row('placeholderTemplate', 'p', false), maximumLength: 2_000 },
  number('batchTurns', 'b', 'turns', { isExtension: true, minimum: 1, hasAuto: true }),
  flag('textParts', 'tp', true),
  { kind: 'names', ...row('excludeTools', 'x', true), items: 'tool_names' },
  flag('neverGrow', 'ng', true),
  number('triggerTokens', 't', 'tokens', { isExtension: true, maximum: 100 * MANY }),
  { kind: 'rules', ...row('errorRules', 'er', true), options: ALL_ERROR_RULES },
  {
    kind: 'names',
    ...row('errorPatterns', 'ep', true),
    items: 'texts',
    limit: { items: 50, length: 200 },
  },
  flag('linkByOrder', 'lo', true),
  flag('nearestCall', 'nc', true),
  { kind: 'choice', ...row('beforeSignedThinking', 'bt', true), options: ['keep', 'mask'] },
  number('cacheReadRatio', 'cr', 'ratio', { ...RATIO, maximum: 1 }),
  number('cacheWriteRatio', 'cw', 'ratio', RATIO),
]

/** True if the policy masks nothing. */
export function isMaskingOff({ enabled, windowTurns }: MaskPolicy): boolean {
  return !enabled || windowTurns <= 0
}

/** True if a setting of a policy is the default. */
export function isDefault(policy: MaskPolicy, { key }: Pick<PolicyField, 'key'>): boolean {
  return isSameSetting(policy[key], DEFAULT_POLICY[key])
}

/** The settings of Schema 1, then the extensions that differ from their defaults, or one of both. */
export function writtenFields(policy: MaskPolicy, isExtension?: boolean): readonly PolicyField[] {
  return POLICY_FIELDS.filter(
    (field) =>
      field.isExtension === (isExtension ?? field.isExtension) &&
      !(field.isExtension && isDefault(policy, field)),
  )
}

/** The row of a setting. */
export function policyField(key: keyof MaskPolicy): PolicyField {
  return POLICY_FIELDS.find((field) => field.key === key) as PolicyField
}

/** All settings but whether masking is on, by their names in TOML. */
export function settingsOfPolicy(policy: MaskPolicy) {
  const fields = POLICY_FIELDS.filter(({ key }) => key !== 'enabled')
  return Object.fromEntries(fields.map(({ key, toml }) => [toml, policy[key]]))
}

/** The reverse of `settingsOfPolicy`; masking is on. */
export function policyOfSettings(settings: Readonly<Record<string, unknown>>): MaskPolicy {
  const policy = POLICY_FIELDS.map(({ key, toml }) => [key, settings[toml] ?? DEFAULT_POLICY[key]])
  return { ...DEFAULT_POLICY, ...Object.fromEntries(policy), enabled: true }
}
