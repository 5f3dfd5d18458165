import { createTranslator } from 'use-intl/core'
import { describe, expect, test } from 'vitest'
import { batchNumber } from '@/lib/core/policy/policy'
import { loadPriceBook } from '@/lib/core/replay/price-book'
import { DEFAULT_ADVICE } from '@/lib/core/replay/recommend'
import { reportMarkdown } from '@/lib/core/report/report-page'
import { turnOf } from '@/lib/core/testing/conversation-of'
import { loadTexts } from '@/lib/messages/languages'
import { fleetCsv, fleetReportOf } from '@/lib/state/files/fleet-report'
import { eventually } from '@/lib/state/testing/eventually'
import { listedFiles } from '@/lib/state/testing/listed-files'
import { reportHtml, reportSvg } from '../../cost/drawer/report/report-file'
import { TEXTS as REPORT_TEXTS } from '../../cost/drawer/report/testing/report-of-session'
import { writeFleetReport } from './write-fleet-report'

const { messages } = await loadTexts('en')
const { format } = REPORT_TEXTS
const TEXTS = {
  t: createTranslator({ locale: 'en', messages, namespace: 'fleetReport' }),
  fleet: { t: createTranslator({ locale: 'en', messages, namespace: 'fleet' }), format },
  report: REPORT_TEXTS,
}
const HOSTILE = '<img src=x onerror=alert(1)>.json'

/** A session with results of these lengths, in words. */
const session = (model: string, turns: number, words: (turn: number) => number) =>
  JSON.stringify({
    model,
    messages: [
      { role: 'user', content: 'begin' },
      ...Array.from({ length: turns }, (_, at) =>
        turnOf(`c${at}`, `value_${at} ${'row '.repeat(words(at))}`),
      ).flat(),
      { role: 'assistant', content: 'It is value_1.' },
    ],
  })

const { playground, list, read } = listedFiles({
  [HOSTILE]: session('gpt-5', 60, () => 300),
  // Small results behind large ones: masking breaks the cache for little.
  'short.json': session('gpt-5', 12, (turn) => (turn < 3 ? 5 : 400)),
  'claude.json': session('claude-sonnet-4-5', 40, (turn) => 50 * (turn % 9)),
})
playground.store.setState({
  priceBook: await loadPriceBook(),
  advice: { ...DEFAULT_ADVICE, smallestWindow: 2 },
})
await read()

function reportOf(hasNames = false) {
  const facts = fleetReportOf(list.store.getState(), playground.store.getState(), {
    day: '2026-11-27',
    hasNames,
  })
  if (facts === undefined) throw new Error('The report is not ready.')
  return { facts, page: writeFleetReport(TEXTS, facts, 'en') }
}

const setWindow = async (windowTurns: number, batchTurns: number, enabled = true) => {
  playground.actions.changePolicy({ windowTurns, batchTurns, enabled })
  await eventually(() => reportOf())
}

await setWindow(3, 1)

describe('the report on all sessions', () => {
  test('has the totals of the list, one verdict, and a row for each session', () => {
    const { facts, page } = reportOf()
    const { files } = list.store.getState()
    const rows = files.flatMap(({ state }) => (state.state === 'measured' ? [state.measure] : []))
    const costs = rows.flatMap(({ sessions }) => sessions.map(({ cached }) => cached))
    const sum = (side: 'before' | 'after') =>
      costs.reduce((total, cost) => total + (cost[side] ?? 0), 0)
    expect(facts.cached.before).toBeCloseTo(sum('before'), 10)
    expect(facts.cached.after).toBeCloseTo(sum('after'), 10)
    const { before, after } = facts.cached
    expect(page.headline).toContain(
      `${format.money(after, before)} instead of ${format.money(before, after)}`,
    )
    expect(page.tone).toBe(after < before ? 'good' : 'warn')
    expect(page.appendix?.rows).toHaveLength(facts.sessions.length)
    expect(page.figures[0]).toMatchObject({ after: format.money(after, before) })
    const { costlierAtWorst } = facts.comparison ?? {}
    expect(page.table.rows[1]?.at(-1)).toBe(`${costlierAtWorst} of ${facts.sessions.length}`)
  })

  test('compares the setting in use with the recommended one, and joins them if they are the same', async () => {
    const { facts, page } = reportOf()
    const { point } = facts.fleet
    if (point === undefined) throw new Error('It is not recommended to mask.')
    expect(page.table.rows.map(([name]) => name?.split(':')[0])).toEqual([
      'No masking',
      'As set',
      'Recommended',
      'Each session with its own cheapest setting',
    ])
    await setWindow(point.windowTurns, batchNumber(point))
    const set = reportOf()
    expect(set.page.table.rows[1]?.slice(1)).toEqual(page.table.rows[2]?.slice(1))
    expect(set.page.table.rows).toHaveLength(3)
    expect(set.page.detail).toContain('This is the setting recommended for all.')
    await setWindow(3, 1, false)
    const off = reportOf().page
    expect([off.tone, off.headline]).toEqual(['plain', expect.stringMatching(/^Masking is off: /)])
    expect(off.table.rows.map(([name]) => name)).not.toContain('As set')
    await setWindow(3, 1)
  })

  test('has a mark for each session, prices with date and source for each model, and the assumptions', () => {
    const { facts, page } = reportOf()
    const svg = reportSvg(page.chart)
    expect(page.chart.charts).toMatchObject([{ points: { length: facts.sessions.length } }])
    expect(svg).toMatch(/^<svg [^>]*role="img"/)
    expect(svg).not.toMatch(/NaN|undefined|Infinity/)
    const html = reportHtml(page)
    for (const text of ['GPT-5', 'Claude Sonnet 4.5', 'genai-prices', 'September 23, 2026'])
      expect(html).toContain(text)
    expect(html).toMatch(/Source of the rule, read in .*platform\.claude\.com/)
    expect(reportMarkdown(page)).toContain('## Sessions\n\n| Session | Model |')
  })

  test('names no file unless asked, and then as text', () => {
    const { facts, page } = reportOf()
    for (const text of [reportHtml(page), reportMarkdown(page), fleetCsv(facts)]) {
      expect(text).not.toContain('onerror')
      expect(text).not.toContain('claude.json')
    }
    const named = reportOf(true)
    expect(reportHtml(named.page)).toContain('&lt;img src=x onerror=alert(1)&gt;.json')
    expect(reportHtml(named.page)).not.toMatch(/<(script|img|link|iframe)\b/i)
    const [header, first] = fleetCsv(named.facts).split('\r\n')
    expect(header).toMatch(/^session,file,conversation,model,turns,requests,session_cost_before,/)
    expect(first).toMatch(/^1,<img src=x onerror=alert\(1\)>\.json,1,GPT-5,60,61,0\.\d+,/)
  })

  test('is written when the list is read and its figures are those of the policy', () => {
    playground.actions.changePolicy({ windowTurns: 9 })
    const options = { day: '', hasNames: false }
    expect(
      fleetReportOf(list.store.getState(), playground.store.getState(), options),
    ).toBeUndefined()
  })
})
