/** The report's numbers for a spreadsheet or a script: dollars and tokens as they are, nothing rounded. */
import type { Replay, ReplaySide } from '../replay/replay'
import type { Strategy } from '../replay/strategies'
import { csvText } from './escape-text'

const SIDE_COLUMNS = ['tokens', 'cache_read', 'cache_written', 'fresh', 'cost', 'cost_cached']

/** A line for each request, and a last one, `all`, for the session; costs are of input, answers apart. */
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

/** A line for each strategy; costs hold the calls it makes itself. */
export function strategiesCsv(listed: readonly Strategy[]): string {
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
    ...listed.map((strategy) => [
      strategy.id,
      strategy.window?.windowTurns,
      strategy.window?.batchTurns,
      strategy.tokens,
      strategy.plain,
      strategy.cached,
      strategy.ownCalls?.count ?? 0,
      strategy.ownCalls === undefined ? 0 : strategy.ownCalls.cost,
      strategy.loss.count,
      strategy.loss.unit,
      strategy.loss.tokens,
      strategy.complexity,
      strategy.isEstimate ? 'yes' : 'no',
    ]),
  ])
}
