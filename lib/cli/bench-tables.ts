import { changePercent } from '../core/mask/measure-request'
import { batchNumber, type MaskPolicy } from '../core/policy/policy'
import { type AdviceSettings, type Recommendation, recommend } from '../core/replay/recommend'
import type { PointLoss, Sweep, SweepPoint } from '../core/replay/sweep'
import { lossAt, pointAt, sumSweeps, sweepPrepared } from '../core/replay/sweep'
import { listedBatches, sweepGrid } from '../core/replay/sweep-grid'
import { ENGLISH_FORMAT, UNKNOWN_FIGURE } from '../core/report/figure-format'
import { breakEvenRefetches, refetchCosts } from '../core/uses/lost-uses'
import type { DocumentMeasure, MeasuredSessions, SessionMeasure } from './measure-document'
import { addCosts, REQUEST_FIGURES } from './measure-document'

type BatchTurns = MaskPolicy['batchTurns']

/** The windows in the table; the JSON has all that were swept. */
const SHOWN_WINDOWS = [1, 2, 4, 8, 16, 32, 64, 128, 256]

/** Sweeps all sessions together. The batch size of the policy and the windows of the table are included. */
export function sweepSessions(documents: readonly MeasuredSessions[], batchTurns: BatchTurns) {
  const all = sweepGrid(
    documents.flatMap(({ sessions }) => sessions.map(({ prepared }) => prepared)),
  )
  const grid = {
    batches: [...all.batches, ...listedBatches([batchTurns])],
    windows: [...all.windows, ...SHOWN_WINDOWS],
  }
  return sumSweeps(
    documents.flatMap(({ sessions, terms }) =>
      sessions.map(({ prepared, losable }) =>
        sweepPrepared(prepared, terms, grid, refetchCosts(prepared, losable, terms)),
      ),
    ),
  )
}

/** The batches that are printed: the usual ones, that of the policy and the recommended one. */
function printedBatches(batchTurns: BatchTurns, advice: Recommendation): BatchTurns[] {
  return listedBatches([batchTurns, ...(advice.state === 'mask' ? [advice.point.batchTurns] : [])])
}

/** The sweep as printed JSON, with these batches, or the usual ones and this one. Costs are dollars of input, without caching and with it; null if a price is unknown. */
export function sweepMeasure(
  swept: Sweep,
  laterUses: number,
  settings: AdviceSettings,
  printed: BatchTurns | readonly BatchTurns[],
) {
  const { tokens, costs } = swept.before
  const advice = recommend(swept, laterUses, settings)
  const batches = typeof printed === 'object' ? printed : printedBatches(printed, advice)
  // The largest window masks nothing.
  const windows = swept.largestWindow === 0 ? [] : [...swept.windows, swept.largestWindow]
  const points = batches.flatMap((batch) =>
    windows.map((windowTurns) => pointAt(swept, { windowTurns, batchTurns: batch }) as SweepPoint),
  )
  return {
    session_tokens_before: tokens,
    session_cost_before: costs.plain ?? null,
    session_cost_cached_before: costs.cached ?? null,
    later_uses: laterUses,
    largest_window: swept.largestWindow,
    batches,
    advice_rule: settings.rule,
    kept_share: settings.keptShare,
    smallest_window: settings.smallestWindow,
    recommended: recommended(advice),
    points: points.map(({ total, ...window }) => {
      const loss = lossAt(swept, window) as PointLoss
      const saved = (costs.cached ?? Number.NaN) - (total.costs.cached ?? Number.NaN)
      return {
        window_turns: window.windowTurns,
        batch_turns: window.batchTurns,
        session_tokens: total.tokens,
        session_cost: total.costs.plain ?? null,
        session_cost_cached: total.costs.cached ?? null,
        lost_uses: loss.uses,
        results_lost: loss.results,
        session_cost_cached_after_refetch: addCosts(total.costs.cached, loss.cached),
        break_even_refetches: Number.isNaN(saved)
          ? null
          : (breakEvenRefetches(saved, loss) ?? null),
      }
    }),
  }
}

/** A table of the change of the cost with caching, by window and batch size, and the recommendation as a sentence. */
export function sweepTable(
  swept: Sweep,
  laterUses: number,
  settings: AdviceSettings,
  batchTurns: BatchTurns,
): string {
  const advice = recommend(swept, laterUses, settings)
  const batches = printedBatches(batchTurns, advice)
  const windows = SHOWN_WINDOWS.filter((window) => window <= swept.largestWindow)
  const before = swept.before.costs.cached
  const changeAt = (windowTurns: number, batchTurns: BatchTurns) =>
    percentChange(before, pointAt(swept, { windowTurns, batchTurns })?.total.costs.cached)
  const table = alignedTable([
    ['window', ...batches.map((batch) => `batch ${batch}`)],
    ...windows.map((window) => [
      String(window),
      ...batches.map((batch) => changeAt(window, batch)),
    ]),
  ])
  return `${table}\n${sentenceOf(advice, settings)}\n`
}

function recommended(advice: Recommendation) {
  if (advice.state !== 'mask') return { state: advice.state }
  return {
    state: advice.state,
    window_turns: advice.point.windowTurns,
    batch_turns: advice.point.batchTurns,
    saved_percent: advice.savedShare * 100,
    saved_percent_after_refetch: advice.savedAtWorst * 100,
    lost_uses: advice.lostUses,
  }
}

export function sentenceOf(
  advice: Recommendation,
  { rule, keptShare, smallestWindow }: AdviceSettings,
  of = 'this session',
): string {
  const kept = `${Math.round(keptShare * 1e4) / 100} %`
  switch (advice.state) {
    case 'mask': {
      const { windowTurns } = advice.point
      const batch = batchNumber(advice.point)
      const steps = batch === 0 ? 'moved at break-even' : `in batches of ${batch}`
      const saved = percent(-advice.savedShare * 100)
      const atWorst = percent(-advice.savedAtWorst * 100)
      const uses = advice.lostUses === 1 ? '1 later use' : `${advice.lostUses} later uses`
      const range =
        advice.lostUses === 0
          ? 'and it loses no later use'
          : `${atWorst} if the results of the ${uses} it loses are fetched again`
      const keeping = rule === 'cheapest' ? '' : `that keep ${kept} of the later uses and are `
      const reason = `Of the settings ${keeping}within 1% of the cheapest, with everything lost fetched again, it ${batch === 0 ? 'needs no batch size' : 'keeps most'}`
      return `Recommended on ${of}, in hindsight: window ${windowTurns} ${steps}, ${saved} of the cost, answers included, ${range}. ${reason}; windows under ${smallestWindow} turns were left out.`
    }
    case 'do_not_mask': {
      const keeping = rule === 'cheapest' ? '' : ` that keeps ${kept} of the later uses`
      return `Do not mask: on ${of}, in hindsight, no window of ${smallestWindow} turns or more${keeping} saves more than 1 % once everything it loses is fetched again.`
    }
    case 'no_results':
      return 'There are no tool results to mask.'
    case 'nothing_maskable':
      return `The policy keeps all ${advice.results} tool results under every window.`
    case 'price_unknown':
      return 'A price is unknown; --price-input, --price-cached, --price-write and --price-output set prices.'
  }
}

const { number, money, change } = ENGLISH_FORMAT

/** The heading of a column, and how it shows a measure. */
type Column<Measure> = readonly [string, (measure: Measure) => string]

export const REQUEST_COLUMNS: readonly Column<DocumentMeasure>[] = [
  ...REQUEST_FIGURES.flatMap(([key, heading]): Column<DocumentMeasure>[] =>
    heading === undefined ? [] : [[heading, (of) => number(of[key])]],
  ),
  ['change', ({ delta_percent }) => percent(delta_percent)],
]

export const SESSION_COLUMNS: readonly Column<SessionMeasure>[] = [
  ['requests', ({ requests }) => number(requests)],
  ['tokens', ({ session_tokens_before }) => number(session_tokens_before)],
  ['after', ({ session_tokens_after }) => number(session_tokens_after)],
  ['cost', (of) => dollars(of.session_cost_before, of.session_cost_after)],
  ['after', (of) => dollars(of.session_cost_after, of.session_cost_before)],
  ['cached', (of) => dollars(of.session_cost_cached_before, of.session_cost_cached_after)],
  ['after', (of) => dollars(of.session_cost_cached_after, of.session_cost_cached_before)],
  ['change', (of) => percentChange(of.session_cost_cached_before, of.session_cost_cached_after)],
  ['answers', ({ session_output_cost_after }) => dollars(session_output_cost_after)],
]

/** What was charged, where the files state it, and what it would have been; of several, some may state nothing. */
export function chargedLines(measure: SessionMeasure, files: number): string[] {
  const { charged_requests: requests, charged_cost: cost, services } = measure
  const { session_cost_cached_before: before, session_cost_cached_after: after } = measure
  const { charged_search_cost: searches, stated_cost: stated, stub_outputs: stubs } = measure
  const notes = services.map(({ name, factor, source, date }) =>
    factor === null
      ? `No price is known for the service ${name}; its requests have the standard prices.`
      : `Requests with ${name} have ${factor} times the standard prices (${source}, ${date}).`,
  )
  if (stubs > 0)
    notes.push(`Output charged far below the text, from the start of a stream: ${stubs} answers.`)
  if (stated !== null) notes.push(`The transcript itself states ${money(stated)}.`)
  if (searches > 0) notes.push(`Searches of the web: ${money(searches)} more.`)
  if (cost === null || before === null || after === null || before === 0)
    return notes.length === 0 ? [] : [...notes, '']
  if (files > 1) return [`Charged ${money(cost)} for ${number(requests)} requests.`, ...notes, '']
  const masked = (cost * after) / before
  const would = `it would have been about ${money(masked, cost)} (${change(cost, masked)})`
  return [`Charged ${money(cost, masked)}; with this policy ${would}.`, ...notes, '']
}

/** The cost with misses in a line; none if a price is unknown. */
export function bandLines({ session_cost_cached_band: band }: SessionMeasure): string[] {
  if (band === null) return []
  const range = (low: number, high: number) => `${money(low, high)} to ${money(high, low)}`
  const where = band.misses_observed_at ?? 'all providers'
  const changes = [band.change_low, band.change_high].map((share) => change(1, 1 + share))
  return [
    `With the misses observed at ${where}, ${band.share * 100} % of draws: ${range(band.before_low, band.before_high)}, ` +
      `after masking ${range(band.after_low, band.after_high)} (${changes.join(' to ')}). ` +
      `With a perfect cache: ${money(band.before_perfect)}, after ${money(band.after_perfect)}.`,
    '',
  ]
}

/** A table of the next request or the session of each file, with a total if there are several. */
export function measureTable<Measure>(
  columns: readonly Column<Measure>[],
  rows: readonly (readonly [name: string, measure: Measure])[],
  total: Measure,
): string {
  const shown = rows.length === 1 ? rows : [...rows, ['all', total] as const]
  return alignedTable([
    ['file', ...columns.map(([heading]) => heading)],
    ...shown.map(([name, measure]) => [name, ...columns.map(([, show]) => show(measure))]),
  ])
}

/** Aligns cells in columns: the first column to the left, the others to the right. */
export function alignedTable(cells: readonly (readonly string[])[]): string {
  const widths = (cells[0] ?? []).map((_, at) =>
    Math.max(...cells.map((row) => row[at]?.length ?? 0)),
  )
  const lines = cells.map((row) => {
    const padded = row.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
    )
    return padded.join('  ').trimEnd()
  })
  return `${lines.join('\n')}\n`
}

/** A change in percent with its sign; a dash if it is unknown. */
export function percent(value: number | null): string {
  if (value === null) return UNKNOWN_FIGURE
  return `${value > 0 ? '+' : ''}${value.toFixed(1)} %`
}

type Cost = number | null | undefined

function percentChange(before: Cost, after: Cost): string {
  const isKnown = typeof before === 'number' && typeof after === 'number'
  return percent((isKnown ? changePercent({ before, after }) : undefined) ?? null)
}

function dollars(value: number | null, beside?: number | null): string {
  return money(value ?? undefined, beside ?? undefined)
}
