/** The numbers of a report as CSV, for a spreadsheet or a script. Nothing is rounded. */

import { CHARGE_PARTS, sumParts } from '../replay/charged/explain-charges'
import { bandFigures } from '../replay/misses/cost-band'
import type { Usd } from '../replay/prompt-cache'
import type { ReplaySide } from '../replay/replay'
import { csvText } from './escape-text'
import type { CalibrationFacts, ChargedFacts, ReportFacts } from './report-facts'

const SIDE_COLUMNS = ['tokens', 'cache_read', 'cache_written', 'fresh', 'cost', 'cost_cached']

/**
 * A line for each request and a last line, `all`, for the session. Costs of answers have their own columns. Where the
 * transcript states what was charged, further columns have it, and the parts of its difference to a plain replay; the
 * last line has the calibration, and the cost as a band.
 */
export function requestsCsv(
  facts: Pick<ReportFacts, 'replayed' | 'charged' | 'calibration' | 'losses' | 'band'>,
): string {
  const { replayed, charged, calibration, losses, band } = facts
  const bandCells = band === undefined ? [] : bandFigures(band)
  const header = [
    'request',
    'messages',
    ...SIDE_COLUMNS.map((name) => `${name}_before`),
    ...SIDE_COLUMNS.map((name) => `${name}_after`),
    'masked_results',
    'answer_tokens',
    'answer_cost_before',
    'answer_cost_after',
    ...(losses === undefined ? [] : ['later_uses', 'lost_uses']),
    ...(charged === undefined ? [] : CHARGED_COLUMNS),
    ...(calibration === undefined ? [] : CALIBRATION_COLUMNS.map(([name]) => name)),
    ...bandCells.map(([name]) => `cost_cached_${name}`),
  ]
  /** The cells of a request, or of the session. */
  const cellsOf = (at?: number) => {
    const request = at === undefined ? undefined : replayed.requests[at]
    const { before, after, outputTokens } = request ?? replayed
    const uses = at === undefined ? losses?.laterUses : losses?.usesByRequest[at]
    const lost = at === undefined ? losses?.lostUses : losses?.lostByRequest[at]
    return [
      ...[...sideCells(before), ...sideCells(after), request?.maskedResults, outputTokens],
      ...[before.costs.output, after.costs.output],
      ...(losses === undefined ? [] : [uses ?? 0, lost ?? 0]),
      ...(charged === undefined ? [] : chargedCells(charged, at)),
    ]
  }
  const rows = replayed.requests.map(({ request }, at) => [at + 1, request.end, ...cellsOf(at)])
  const last = [
    ...['all', undefined, ...cellsOf()],
    ...(calibration === undefined ? [] : CALIBRATION_COLUMNS.map(([, cell]) => cell(calibration))),
    ...bandCells.map(([, cost]) => cost),
  ]
  return csvText([header, ...rows, last])
}

const CHARGED_COLUMNS = [
  ...['tokens', 'cache_read', 'cache_written', 'cache_written_hour', 'cost'],
  ...['answer_tokens', 'answer_cost', 'plain_replay_cost'],
  ...CHARGE_PARTS.map((part) => `part_${part}`),
].map((name) => `charged_${name}`)

/** What was charged for a request, or for all; cells of a request without usage are empty. */
function chargedCells(charged: ChargedFacts, at?: number): (number | undefined)[] {
  const sum = at === undefined ? charged.charge : charged.byRequest[at]
  const shown = charged.explained.filter(({ request }) => at === undefined || request === at)
  const isKnown = shown.length > 0
  const parts = sumParts(shown)
  const plain = shown.reduce((total, one) => total + (one.plain.costs.cached as Usd), 0)
  return [
    ...[sum?.inputTokens, sum?.readTokens, sum?.writtenTokens, sum?.writtenHourTokens],
    ...[sum?.inputCost, sum?.outputTokens, sum?.outputCost, isKnown ? plain : undefined],
    ...CHARGE_PARTS.map((part) => (isKnown ? parts[part] : undefined)),
  ]
}

const CALIBRATION_COLUMNS: readonly (readonly [
  string,
  (facts: CalibrationFacts) => number | undefined,
])[] = [
  ['calibration_head_tokens', ({ inUse }) => inUse?.headTokens],
  ['calibration_slope', ({ inUse }) => inUse?.slope],
  ['calibration_request_tokens', ({ inUse }) => inUse?.requestTokens],
  ['calibration_requests_used', ({ fit }) => fit?.requestsUsed],
  ['calibration_residual_percent', ({ fit }) => fit?.residualPercent],
]

function sideCells({ tokens, split, costs }: ReplaySide): (number | undefined)[] {
  return [tokens, split.read, split.written, split.fresh, costs.plain, costs.cached]
}
