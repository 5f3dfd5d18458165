/** Finds in a conversation what a provider can reject when it is sent back, before and after masking. */
import { groupByMessage, indexByMessage, type Message } from '../conversation/conversation'
import type { LinkedMessages } from '../conversation/link-messages'
import type { ReasoningMark } from '../conversation/reasoning-marks'
import type { Decision } from '../policy/decide'
import type { MaskPolicy } from '../policy/policy'
import { isBound } from '../policy/window-steps'
import type { Offset } from '../text/span'

/** Rules of calls and their results. */
const LINK_RULES = [
  'unanswered_call',
  'mid_turn',
  'orphan',
  'not_behind',
  'two_results',
  'repeated_id',
  'empty_call_id',
  'empty_result_id',
] as const

export type LinkRule = (typeof LINK_RULES)[number]

/** All rules, in display order. Only the last one depends on masking. */
export const HISTORY_RULES = [
  ...LINK_RULES,
  'unknown_role',
  'broken_arguments',
  'missing_reasoning',
  'unsigned_thinking',
  'missing_signature',
  'edited_before_thinking',
] as const

export type HistoryRule = (typeof HISTORY_RULES)[number]

export interface HistoryFinding {
  readonly rule: HistoryRule
  /** Index of the message. */
  readonly message: number
  /** Index of the result it is about; undefined if it is about a call or a message. */
  readonly result: number | undefined
}

/** Roles of the formats that are read, without those of models. */
const ROLES = new Set(['system', 'developer', 'user', 'tool', 'function'])

/**
 * Returns each finding that depends neither on masking nor on the arguments of calls, by rule and then in the order of
 * the messages.
 */
export function checkHistory(conversation: LinkedMessages): HistoryFinding[] {
  const { messages, results } = conversation
  const hasResult = new Set(results.map(({ message }) => message))
  const found = checkConversationLinks(conversation)
  const report = (rule: HistoryRule, message: number) =>
    found.push({ rule, message, result: undefined })
  const has = (mark: ReasoningMark) => messages.some((message) => hasMark(message, mark))
  const turns = messages.filter(({ turn }) => turn !== undefined)
  const reasoned = turns.filter((message) => hasMark(message, 'reasoning_content')).length
  // Where few turns have reasoning, the model did not think in the others.
  const areReasoned = reasoned * 2 >= turns.length && reasoned > 0
  const areSigned = has('thought_signature')
  const current = messages.findLastIndex(
    ({ role, contents }) => role === 'user' && contents.length > 0,
  )
  for (const [at, message] of messages.entries()) {
    const { role, isAssistant, turn } = message
    // Formats have roles of their own for results, such as `toolResult`.
    if (!isAssistant && !ROLES.has(role) && !hasResult.has(at)) report('unknown_role', at)
    if (hasMark(message, 'unsigned_thinking')) report('unsigned_thinking', at)
    if (turn === undefined) continue
    if (areReasoned && !hasMark(message, 'reasoning_content')) report('missing_reasoning', at)
    // Gemini checks the answers to the last words of the user only.
    if (areSigned && at > current && !hasMark(message, 'thought_signature'))
      report('missing_signature', at)
  }
  const rank = ({ rule }: HistoryFinding) => HISTORY_RULES.indexOf(rule)
  return found.sort((a, b) => rank(a) - rank(b) || a.message - b.message)
}

/** Returns the calls whose arguments are not a JSON object; `broken` are the starts of these, as the repair finds them. */
export function checkArguments(
  { calls }: LinkedMessages,
  broken: ReadonlySet<Offset>,
): HistoryFinding[] {
  return calls.flatMap(({ argumentsSpan, message }) =>
    argumentsSpan !== undefined && broken.has(argumentsSpan.start)
      ? [{ rule: 'broken_arguments' as const, message, result: undefined }]
      : [],
  )
}

/**
 * Returns the findings that masking adds. It changes only texts of results, so all other findings stay as they are:
 * signed thinking behind a changed result no longer has the words before it that it was signed with.
 */
export function checkMasking(
  { messages, results }: LinkedMessages,
  decisions: readonly Decision[],
  policy: Pick<MaskPolicy, 'beforeSignedThinking'>,
): HistoryFinding[] {
  // A bound result that is masked was so when the thinking was signed.
  const first = results.find(
    (result, at) => decisions[at]?.action === 'mask' && !isBound(result, policy),
  )?.message
  if (first === undefined) return []
  return messages.flatMap((message, at) =>
    at > first && hasMark(message, 'signed_thinking')
      ? [{ rule: 'edited_before_thinking' as const, message: at, result: undefined }]
      : [],
  )
}

/** True if signed thinking follows a result, so that masking can change what is before it. */
export function hasResultBeforeThinking({ messages, results }: LinkedMessages): boolean {
  const last = messages.findLastIndex((message) => hasMark(message, 'signed_thinking'))
  return results.some(({ message }) => message < last)
}

const RESULT_RULES: readonly LinkRule[] = ['orphan', 'not_behind', 'two_results', 'empty_result_id']

function checkConversationLinks({ messages, calls, results }: LinkedMessages): HistoryFinding[] {
  const callsOf = groupByMessage(calls)
  const resultsOf = indexByMessage(results)
  // The older form of a call has no id; its result has the role `function`.
  const isLegacy = messages.some(({ role }) => role === 'function')
  const ids = messages.map((_, at) => ({
    calls: (callsOf.get(at) ?? []).map(({ id }) => id),
    results: (resultsOf.get(at) ?? []).map((index) => results[index]?.callId),
  }))
  const last = messages.length - 1
  return (
    checkLinks(ids)
      .filter(({ rule }) => !(isLegacy && (rule === 'empty_call_id' || rule === 'empty_result_id')))
      // Every answer with calls is the end of a history until the tools have run.
      .filter(({ rule, message }) => rule !== 'mid_turn' || message < last)
      .map(({ rule, message, part }) => ({
        rule,
        message,
        result: RESULT_RULES.includes(rule) ? resultsOf.get(message)?.[part] : undefined,
      }))
  )
}

function hasMark({ reasoningMarks }: Message, mark: ReasoningMark): boolean {
  return reasoningMarks?.includes(mark) === true
}

/** The ids of a message's calls and results, in order; undefined where there is none. */
export interface LinkedIds {
  readonly calls: readonly (string | undefined)[]
  readonly results: readonly (string | undefined)[]
}

export interface LinkFinding {
  readonly rule: LinkRule
  /** Index of the message. */
  readonly message: number
  /** Index among the calls of the message for rules about calls, else among its results. */
  readonly part: number
}

type Part = Omit<LinkFinding, 'rule'>

/**
 * Checks calls and results in the order in which a provider reads them: every call has an id of its own, and one result
 * directly behind it. Masking asks a different question: there, an id belongs to the last turn that uses it.
 */
export function checkLinks(messages: readonly LinkedIds[]): LinkFinding[] {
  const findings: LinkFinding[] = []
  const allCalls = new Set(messages.flatMap(({ calls }) => calls))
  const known = new Set<string>()
  const answered = new Set<string>()
  /** Calls whose results can follow directly, and calls with another message behind them. */
  const open = new Map<string, Part>()
  const overdue = new Map<string, Part>()

  const ruleOfCall = (id: string | undefined, part: Part): LinkRule | undefined => {
    if (id === undefined) return 'empty_call_id'
    const isRepeated = known.has(id)
    // A result before its call is reported itself; the call is not unanswered.
    if (isRepeated || !answered.has(id)) open.set(id, part)
    overdue.delete(id)
    known.add(id)
    return isRepeated ? 'repeated_id' : undefined
  }
  const ruleOfResult = (id: string | undefined): LinkRule | undefined => {
    if (id === undefined) return 'empty_result_id'
    if (!allCalls.has(id)) return 'orphan'
    const isBehind = open.delete(id)
    const isFirst = isBehind || overdue.delete(id) || !answered.has(id)
    answered.add(id)
    if (!isFirst) return 'two_results'
    return isBehind ? undefined : 'not_behind'
  }

  for (const [message, { calls, results }] of messages.entries()) {
    const report = (rule: LinkRule | undefined, part: number) => {
      if (rule !== undefined) findings.push({ rule, message, part })
    }
    if (calls.length > 0 || results.length === 0) {
      for (const [id, part] of open) overdue.set(id, part)
      open.clear()
    }
    for (const [part, id] of calls.entries()) report(ruleOfCall(id, { message, part }), part)
    for (const [part, id] of results.entries()) report(ruleOfResult(id), part)
  }
  for (const part of overdue.values()) findings.push({ rule: 'unanswered_call', ...part })
  for (const part of open.values()) findings.push({ rule: 'mid_turn', ...part })
  return findings.sort((a, b) => a.message - b.message)
}
