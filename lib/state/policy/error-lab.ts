/** What marks the results of the conversation shown as errors, and what each rule keeps. */
import { ALL_ERROR_RULES } from '@/lib/core/conversation/conversation'
import { errorMatchesOf } from '@/lib/core/conversation/error-rules'
import { type ErrorMark, errorMarksOf } from '@/lib/core/policy/decide'
import { findPattern } from '@/lib/core/policy/error-patterns'
import { offeredRules, ruleEffects } from '@/lib/core/results/rule-effects'
import { ofPolicy } from '../costs/tried-mechanism'
import { conversationOf, countsOf, slicesOf, textOfResult } from '../document/selectors'
import { ofShown, optional, select } from '../store'
import { maskableOf } from './policy-facts'
import { decisionsOf, placeholderTokensOf } from './policy-view'
import { decideWith } from './shared-inputs'

export type MarkedResult = NonNullable<ReturnType<typeof errorLabOf>>['results'][number]

const marksOf = select(
  [({ read }) => read, conversationOf, ({ policy }) => policy.errorPatterns],
  ({ source }, { results }, errorPatterns) =>
    results.map((result) =>
      errorMarksOf(result, { errorRules: ALL_ERROR_RULES, errorPatterns }, () =>
        textOfResult(slicesOf(source), result),
      ),
    ),
)

/** Undefined until the results are decided. */
export const errorLabOf = ofPolicy(
  select(
    [
      ({ read }) => read,
      conversationOf,
      ({ policy }) => policy,
      marksOf,
      ofShown(decisionsOf),
      optional(ofShown(countsOf)),
      optional(ofShown(placeholderTokensOf)),
    ],
    (read, conversation, policy, marks, decisions, counts, placeholders) => {
      const savingOf = (at: number) => {
        const [before, after] = [counts?.results[at], placeholders?.[at]]
        return before === undefined || after === undefined ? undefined : before - after
      }
      const results = marks.flatMap((own, result) => {
        const isKept = decisions[result]?.reason === 'kept_error'
        return own.length === 0 ? [] : [{ result, marks: own, isKept }]
      })
      const kept = results.filter(({ isKept }) => isKept).map(({ result }) => savingOf(result))
      const isCounted = kept.every((saving) => saving !== undefined)
      return {
        /** Those that at least one rule matches, whether it is on or off. */
        results,
        effects: ruleEffects(policy, {
          marks,
          decisions,
          savingOf,
          decideWith: (changed) =>
            counts && placeholders && decideWith(read, conversation, changed, counts, placeholders),
        }),
        /** Tokens that the results kept as errors would save, with their placeholders deducted; undefined until counted. */
        keptTokens: isCounted ? kept.reduce((sum, saving) => sum + saving, 0) : undefined,
      }
    },
  ),
)

/** The optional rules that would keep results which are masked once they are old; undefined until these are known. */
export const offeredRulesOf = select(
  [conversationOf, maskableOf, ({ policy }) => policy],
  ({ results }, maskable, policy) => offeredRules(results, (at) => maskable.has(at), policy),
)

const WORDS_BEFORE = 40
const WORDS_AFTER = 80

/** The first match of each mark in the text of a result, with some words around it; the format's own mark is not in the text. */
export function excerptsOf(text: string, marks: readonly ErrorMark[], patterns: readonly string[]) {
  const matches = errorMatchesOf(text)
  return marks.flatMap((mark) => {
    if (mark === 'flag') return []
    const span = mark === 'pattern' ? findPattern(text, patterns) : matches[mark]
    if (span === undefined) return []
    const { start, end } = span
    return {
      mark,
      before: text.slice(Math.max(0, start - WORDS_BEFORE), start),
      matched: text.slice(start, end),
      after: text.slice(end, end + WORDS_AFTER),
    }
  })
}
