/** The numbers of a report as CSV, for a spreadsheet or a script. Nothing is rounded. */

import type { Alternative } from '../replay/alternatives/alternatives'
import type { Replay, ReplaySide } from '../replay/replay'
import { csvText } from './escape-text'

const SIDE_COLUMNS = ['tokens', 'cache_read', 'cache_written', 'fresh', 'cost', 'cost_cached']

/** A line for each request and a last line, `all`, for the session. Costs of answers have their own columns. */
export function requestsCsv(replayed: Replay): string {
  const header = [
    'request',
    'messages',
    ...SIDE_COLUMNS.map((name) => `${name}_before`),
    ...SIDE_COLUMNS.map((name) => `${name}_after`),
    'masked_results',
    'answer_tokens',
    'answer_cost_before',
    'answer_cost_after',
  ]
  const answers = (before: ReplaySide, after: ReplaySide) => [
    before.costs.output,
    after.costs.output,
  ]
  const rows = replayed.requests.map(({ request, before, after, ...rest }, at) => [
    at + 1,
    request.end,
    ...sideCells(before),
    ...sideCells(after),
    rest.maskedResults,
    rest.outputTokens,
    ...answers(before, after),
  ])
  const { before, after, outputTokens } = replayed
  const all = [...sideCells(before), ...sideCells(after), undefined, outputTokens]
  return csvText([header, ...rows, ['all', undefined, ...all, ...answers(before, after)]])
}

function sideCells({ tokens, split, costs }: ReplaySide): (number | undefined)[] {
  return [tokens, split.read, split.written, split.fresh, costs.plain, costs.cached]
}

/** A line for each alternative; costs include its extra calls. */
export function alternativesCsv(listed: readonly Alternative[]): string {
  const header = [
    'strategy',
    'window_turns',
    'batch_turns',
    'tokens',
    'cost',
    'cost_cached',
    'own_calls',
    'own_calls_cost',
    'not_sent_count',
    'not_sent_unit',
    'not_sent_tokens',
    'complexity',
    'estimate',
  ]
  return csvText([
    header,
    ...listed.map((alternative) => [
      alternative.id,
      alternative.window?.windowTurns,
      alternative.window?.batchTurns,
      alternative.tokens,
      alternative.plain,
      alternative.cached,
      alternative.extraCalls?.count ?? 0,
      alternative.extraCalls === undefined ? 0 : alternative.extraCalls.cost,
      alternative.loss.count,
      alternative.loss.unit,
      alternative.loss.tokens,
      alternative.complexity,
      alternative.isEstimate ? 'yes' : 'no',
    ]),
  ])
}
