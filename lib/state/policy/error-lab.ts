/** What marks the results of the conversation shown as errors, and what each rule keeps. */
import {
  ALL_ERROR_RULES,
  type Conversation,
  type ToolResult,
} from '@/lib/core/conversation/conversation'
import { errorMatchesOf } from '@/lib/core/conversation/error-rules'
import { type Decision, decide, type ErrorMark, errorMarksOf } from '@/lib/core/policy/decide'
import { findPattern } from '@/lib/core/policy/error-patterns'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { type RuleEffect, ruleEffects } from '@/lib/core/results/rule-effects'
import { type ConversationCounts, requestTokens } from '@/lib/core/tokens/count-conversation'
import type { ReadSource } from '../document/document-slice'
import {
  conversationOf,
  countsOf,
  decisionsOf,
  placeholderTokensOf,
  slicesOf,
  textOfResult,
} from '../document/selectors'
import { memoize } from '../memoize'
import type { PlaygroundState } from '../store'

/** A result that at least one rule matches, whether the rule is on or off. */
export interface MarkedResult {
  readonly result: number
  readonly marks: readonly ErrorMark[]
  /** True if it is kept as an error. */
  readonly isKept: boolean
}

export interface ErrorLab {
  readonly results: readonly MarkedResult[]
  readonly effects: readonly RuleEffect[]
  /** Tokens that the results kept as errors would save, with their placeholders deducted; undefined until counted. */
  readonly keptTokens: number | undefined
}

const allMarks = memoize(
  (
    read: ReadSource,
    { results }: Conversation,
    errorPatterns: readonly string[],
  ): readonly (readonly ErrorMark[])[] =>
    results.map((result) =>
      errorMarksOf(result, { errorRules: ALL_ERROR_RULES, errorPatterns }, () =>
        textOfResult(slicesOf(read.source), result),
      ),
    ),
)

const lab = memoize(
  (
    read: ReadSource,
    conversation: Conversation,
    policy: MaskPolicy,
    decisions: readonly Decision[],
    counts: ConversationCounts | undefined,
    placeholders: readonly number[] | undefined,
  ): ErrorLab => {
    const marks = allMarks(read, conversation, policy.errorPatterns)
    const savingOf = (at: number) => {
      const [before, after] = [counts?.results[at], placeholders?.[at]]
      return before === undefined || after === undefined ? undefined : before - after
    }
    const results = marks.flatMap((own, result) => {
      const isKept = decisions[result]?.reason === 'kept_error'
      return own.length === 0 ? [] : [{ result, marks: own, isKept }]
    })
    const kept = results.filter(({ isKept }) => isKept).map(({ result }) => savingOf(result))
    const effects = ruleEffects(policy, {
      marks,
      decisions,
      savingOf,
      decideWith: (changed) =>
        counts === undefined || placeholders === undefined
          ? undefined
          : decide(conversation, changed, {
              textOf: (at) =>
                textOfResult(slicesOf(read.source), conversation.results[at] as ToolResult),
              tokensOf: (at) => counts.results[at] as number,
              placeholderTokensOf: (at) => placeholders[at] as number,
              requestTokens: requestTokens(counts),
            }),
    })
    const isCounted = kept.every((saving) => saving !== undefined)
    return {
      results,
      effects,
      keptTokens: isCounted ? kept.reduce((sum, saving) => sum + saving, 0) : undefined,
    }
  },
)

/** Undefined until the results are decided. */
export function errorLabOf(state: PlaygroundState): ErrorLab | undefined {
  const { read, policy, conversation: at } = state
  const conversation = conversationOf(state)
  const decisions = decisionsOf(state)?.[at]
  if (read === undefined || conversation === undefined || decisions === undefined) return undefined
  const placeholders = placeholderTokensOf(state)?.[at]
  return lab(read, conversation, policy, decisions, countsOf(state)?.[at], placeholders)
}

/** The text that a rule matches, with some words around it. */
export interface Excerpt {
  readonly mark: ErrorMark
  readonly before: string
  readonly matched: string
  readonly after: string
}

const WORDS_BEFORE = 40
const WORDS_AFTER = 80

/** The first match of each mark in the text of a result; the format's own mark is not in the text. */
export function excerptsOf(
  text: string,
  marks: readonly ErrorMark[],
  patterns: readonly string[],
): Excerpt[] {
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
