import { ERROR_RULES, type ErrorRule } from '../conversation/conversation'

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
  /** The window moves in steps of this many turns; 1 is Schema 1. */
  readonly batchTurns: number
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
}

/** True if two values of a policy field are the same setting; lists are compared as sets. */
export function isSameSetting(
  a: MaskPolicy[keyof MaskPolicy],
  b: MaskPolicy[keyof MaskPolicy],
): boolean {
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
