/** The table of a conversation's results: one row per result, filtered and sorted. */
import { countBy, groupBy } from '../conversation/add-to-group'
import { shownTool, type ToolResult } from '../conversation/conversation'
import { resultTokens } from '../mask/measure-request'
import { type Decision, REASONS, type Reason } from '../policy/decide'
import { csvText } from '../report/escape-text'

export type ResultRow = Readonly<ReturnType<typeof resultRows>[number]>

/** Numbers by result; undefined until known. */
export interface RowCounts {
  /** Tokens of its text, and of its placeholder. */
  readonly results: readonly number[] | undefined
  readonly placeholders: readonly number[] | undefined
  /** The results of all lost uses, one item per use. */
  readonly lostUses: readonly { readonly result: number }[] | undefined
}

/** One row per decision. Results after the last decision are not in the request and have no row. */
export function resultRows(
  results: readonly ToolResult[],
  decisions: readonly Decision[],
  counts: RowCounts,
) {
  const lost = countBy(counts.lostUses ?? [], ({ result }) => result)
  return decisions.map((decision, index) => {
    const result = results[index] as ToolResult
    const [own, placeholder] = [counts.results?.[index], counts.placeholders?.[index]]
    const tokens = resultTokens(result, decision, own, placeholder)
    return {
      /** Index of the result in the conversation. */
      result: index,
      message: result.message,
      /** Index of its turn, from 0; undefined for an orphan. */
      turn: result.turn,
      callId: result.callId,
      tool: shownTool(result),
      toolArguments: result.statedName === undefined ? result.toolArguments : '',
      chars: result.chars,
      reason: decision.reason,
      /** The error rules that keep it. */
      keptBy: decision.keptBy,
      tokens,
      /** Tokens that masking it saves in the request; negative if its placeholder is longer. */
      saved: tokens.before - tokens.after,
      /** Later uses of it that the policy loses in the session; undefined until they are found. */
      lostUses: counts.lostUses && (lost.get(index) ?? 0),
    }
  })
}

/** Numbers of a row that it can be sorted by. Turns count from 1. */
export type RowFigure = 'turn' | 'tokens' | 'saved' | 'lostUses'

/** Undefined if the row has no such number. */
export function figureOfRow(row: ResultRow, figure: RowFigure): number | undefined {
  if (figure === 'turn') return row.turn === undefined ? undefined : row.turn + 1
  return figure === 'tokens' ? row.tokens.before : row[figure]
}

export interface RowFilter {
  /** Undefined shows all tools. A tool without a name is `{ name: undefined }`. */
  readonly tool: { readonly name: string | undefined } | undefined
  readonly reason: Reason | undefined
}

export const NO_FILTER: RowFilter = { tool: undefined, reason: undefined }

/** The rows that pass all parts of a filter, in their order. */
export function filterRows(rows: readonly ResultRow[], { tool, reason }: RowFilter) {
  if (tool === undefined && reason === undefined) return rows
  return rows.filter(
    (row) =>
      (tool === undefined || row.tool === tool.name) &&
      (reason === undefined || row.reason === reason),
  )
}

export const ROW_COLUMNS = ['turn', 'tool', 'reason', 'tokens', 'saved', 'lostUses'] as const

export type RowColumn = (typeof ROW_COLUMNS)[number]

export interface RowOrder {
  readonly column: RowColumn
  readonly isDescending: boolean
}

/** The order of the conversation. */
export const FIRST_ORDER: RowOrder = { column: 'turn', isDescending: false }

/** Sorted rows; equal ones stay in the order of the conversation, and rows without the value come last. */
export function sortRows(rows: readonly ResultRow[], { column, isDescending }: RowOrder) {
  const direction = isDescending ? -1 : 1
  const valueIn = (row: ResultRow) =>
    column === 'tool' || column === 'reason' ? row[column] : figureOfRow(row, column)
  return rows.toSorted((first, second) => {
    const [a, b] = [valueIn(first), valueIn(second)]
    if (a === b) return first.result - second.result
    if (a === undefined || b === undefined) return a === undefined ? 1 : -1
    return a < b ? -direction : direction
  })
}

/** Columns of the file; names stay the same between versions. It has no text of the transcript but names and call ids. */
const COLUMNS: readonly (readonly [
  name: string,
  cell: (row: ResultRow) => string | number | undefined,
])[] = [
  ['result', (row) => row.result + 1],
  ['message', (row) => row.message + 1],
  ['turn', (row) => figureOfRow(row, 'turn')],
  ['tool', (row) => row.tool],
  ['tool_call_id', (row) => row.callId],
  ['reason', (row) => row.reason],
  ['error_rules', (row) => row.keptBy.join(' ')],
  ['chars', (row) => row.chars],
  ['tokens', (row) => row.tokens.before],
  ['tokens_sent', (row) => row.tokens.after],
  ['tokens_saved', (row) => row.saved],
  ['lost_uses', (row) => row.lostUses],
]

/** The rows as CSV, in their order, with unrounded numbers. */
export function resultsCsv(rows: readonly ResultRow[]): string {
  const names = COLUMNS.map(([name]) => name)
  return csvText([names, ...rows.map((row) => COLUMNS.map(([, cell]) => cell(row)))])
}

/** Sums over the results of one tool. */
export type ToolTotals = Readonly<ReturnType<typeof toolTotals>[number]>

/** Totals by tool; those with the most tokens first, equal ones in the order of their first result. */
export function toolTotals(rows: readonly ResultRow[]) {
  const sumOf = (some: readonly ResultRow[], of: (row: ResultRow) => number) =>
    some.reduce((sum, row) => sum + of(row), 0)
  const all = sumOf(rows, ({ tokens }) => tokens.before)
  return [...groupBy(rows, ({ tool }) => tool)]
    .map(([tool, of]) => {
      const reasons = countBy(of, ({ reason }) => reason)
      /** Before masking. */
      const tokens = sumOf(of, (row) => row.tokens.before)
      return {
        tool,
        results: of.length,
        tokens,
        /** Part of the tokens of all results, from 0 to 1; 0 if they have none. */
        share: all === 0 ? 0 : tokens / all,
        saved: sumOf(of, ({ saved }) => saved),
        /** 0 until lost uses are found. */
        lostUses: sumOf(of, ({ lostUses }) => lostUses ?? 0),
        masked: reasons.get('masked') ?? 0,
        /** Reasons of kept results, in the order of the checks. */
        kept: REASONS.flatMap((reason) => {
          const results = reasons.get(reason)
          return reason === 'masked' || results === undefined ? [] : [{ reason, results }]
        }),
      }
    })
    .sort((first, second) => second.tokens - first.tokens)
}
