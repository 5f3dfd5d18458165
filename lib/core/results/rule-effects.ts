/** What each error rule matches, and what a switch of it would change in the next request. */
import type { ErrorRule, ToolResult } from '../conversation/conversation'
import { ALL_ERROR_RULES, OPTIONAL_ERROR_RULES } from '../conversation/conversation'
import type { Decision, ErrorMark } from '../policy/decide'
import type { MaskPolicy } from '../policy/policy'

/** All marks, in display order. */
export const ERROR_MARKS: readonly ErrorMark[] = [...ALL_ERROR_RULES, 'pattern']

export interface RuleEffectSources {
  /** What each result matches, whether it counts or not. */
  readonly marks: readonly (readonly ErrorMark[])[]
  readonly decisions: readonly Decision[]
  /** Decides under another policy; undefined if it needs counts that are missing. */
  readonly decideWith: (policy: MaskPolicy) => readonly Decision[] | undefined
  /** Tokens that masking a result saves; undefined until counted. */
  readonly savingOf: (result: number) => number | undefined
}

/** One effect for each rule that matches a result. */
export function ruleEffects(policy: MaskPolicy, sources: RuleEffectSources) {
  return ERROR_MARKS.flatMap((mark) => {
    const isOn = isMarkOn(policy, mark)
    /** Number of results that it matches, at any age. */
    const matches = sources.marks.filter((marks) => marks.includes(mark)).length
    if (matches === 0) return []
    const switched = sources.decideWith(withMark(policy, mark, !isOn)) ?? sources.decisions
    /** Results that a switch of it would mask or keep. */
    const changed = switched.flatMap(({ action }, result) =>
      action === sources.decisions[result]?.action ? [] : [result],
    )
    const savings = changed.map(sources.savingOf)
    /** Tokens of these results that masking saves, with their placeholders deducted; undefined until counted. */
    const tokens = savings.reduce<number | undefined>(
      (sum, saving) => (sum === undefined || saving === undefined ? undefined : sum + saving),
      0,
    )
    return [{ mark, isOn, matches, changed, tokens }]
  })
}

/** The optional rules, off under the policy, that would keep masked results, and the number of these. */
export function offeredRules(
  results: readonly Pick<ToolResult, 'errorRules'>[],
  isMasked: (result: number) => boolean,
  { keepErrors, errorRules }: Pick<MaskPolicy, 'keepErrors' | 'errorRules'>,
) {
  const isOff = (rule: ErrorRule) =>
    keepErrors && OPTIONAL_ERROR_RULES.some((one) => one === rule) && !errorRules.includes(rule)
  const found = results
    .filter((_, at) => isMasked(at))
    .map(({ errorRules: own }) => own.filter(isOff))
    .filter((own) => own.length > 0)
  const rules = OPTIONAL_ERROR_RULES.filter((rule) => found.some((own) => own.includes(rule)))
  return { rules, results: found.length }
}

/** True if a mark counts as an error under a policy. */
export function isMarkOn(
  { errorRules, errorPatterns }: Pick<MaskPolicy, 'errorRules' | 'errorPatterns'>,
  mark: ErrorMark,
): boolean {
  return mark === 'pattern' ? errorPatterns.length > 0 : errorRules.includes(mark)
}

/** The policy with a rule switched; the user's own texts can only be removed. */
export function withMark(policy: MaskPolicy, mark: ErrorMark, isOn: boolean): MaskPolicy {
  if (mark === 'pattern') return { ...policy, errorPatterns: isOn ? policy.errorPatterns : [] }
  const { errorRules } = policy
  return { ...policy, errorRules: withRule(errorRules, mark, isOn) }
}

/** The rules with one of them switched, in display order. */
export function withRule(
  rules: readonly ErrorRule[],
  rule: ErrorRule,
  isOn: boolean,
): readonly ErrorRule[] {
  return ALL_ERROR_RULES.filter((other) => (other === rule ? isOn : rules.includes(other)))
}
