/** The ids of a message's calls and results, in order; undefined where there is none. */
export interface LinkedIds {
  readonly calls: readonly (string | undefined)[]
  readonly results: readonly (string | undefined)[]
}

export type LinkRule =
  | 'empty_call_id'
  | 'repeated_id'
  | 'unanswered_call'
  | 'mid_turn'
  | 'empty_result_id'
  | 'orphan'
  | 'two_results'
  | 'not_behind'

export interface LinkFinding {
  readonly rule: LinkRule
  /** Index of the message. */
  readonly message: number
  /** Index among the calls of the message for rules about calls, else among its results. */
  readonly part: number
}

interface Place {
  readonly message: number
  readonly part: number
}

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
  const open = new Map<string, Place>()
  const overdue = new Map<string, Place>()

  const ruleOfCall = (id: string | undefined, place: Place): LinkRule | undefined => {
    if (id === undefined) return 'empty_call_id'
    const isRepeated = known.has(id)
    // A result before its call is reported itself; the call is not unanswered.
    if (isRepeated || !answered.has(id)) open.set(id, place)
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
      for (const [id, place] of open) overdue.set(id, place)
      open.clear()
    }
    for (const [part, id] of calls.entries()) report(ruleOfCall(id, { message, part }), part)
    for (const [part, id] of results.entries()) report(ruleOfResult(id), part)
  }
  for (const place of overdue.values()) findings.push({ rule: 'unanswered_call', ...place })
  for (const place of open.values()) findings.push({ rule: 'mid_turn', ...place })
  return findings.sort((a, b) => a.message - b.message)
}
