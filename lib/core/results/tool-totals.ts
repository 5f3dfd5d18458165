import { REASONS, type Reason } from '../policy/decide'
import type { ResultRow } from './result-rows'

/** Sums over the results of one tool. */
export interface ToolTotals {
  readonly tool: string | undefined
  readonly results: number
  /** Before masking. */
  readonly tokens: number
  /** Part of the tokens of all results, from 0 to 1; 0 if they have none. */
  readonly share: number
  readonly saved: number
  /** 0 until lost uses are found. */
  readonly lostUses: number
  readonly masked: number
  /** Reasons of kept results, in the order of the checks. */
  readonly kept: readonly { readonly reason: Reason; readonly results: number }[]
}

/** Totals by tool; those with the most tokens first, equal ones in the order of their first result. */
export function toolTotals(rows: readonly ResultRow[]): ToolTotals[] {
  const rowsOfTool = new Map<string | undefined, ResultRow[]>()
  let all = 0
  for (const row of rows) {
    const known = rowsOfTool.get(row.tool)
    if (known === undefined) rowsOfTool.set(row.tool, [row])
    else known.push(row)
    all += row.tokens.before
  }
  return [...rowsOfTool]
    .map(([tool, of]) => {
      const reasons = new Map<Reason, number>()
      let [tokens, saved, lostUses] = [0, 0, 0]
      for (const row of of) {
        reasons.set(row.reason, (reasons.get(row.reason) ?? 0) + 1)
        tokens += row.tokens.before
        saved += row.saved
        lostUses += row.lostUses ?? 0
      }
      return {
        tool,
        results: of.length,
        tokens,
        share: all === 0 ? 0 : tokens / all,
        saved,
        lostUses,
        masked: reasons.get('masked') ?? 0,
        kept: REASONS.flatMap((reason) => {
          const results = reasons.get(reason)
          return reason === 'masked' || results === undefined ? [] : [{ reason, results }]
        }),
      }
    })
    .sort((first, second) => second.tokens - first.tokens)
}
