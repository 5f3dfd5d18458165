/** A report as a link, as a page and as CSV. */
import { describe, expect, test } from 'vitest'
import { alternativesCsv, requestsCsv } from '@/lib/core/report/report-csv'
import type { ReportFacts, WrittenFacts } from '@/lib/core/report/report-facts'
import { reportMarkdown } from '@/lib/core/report/report-page'
import { readFiguresLink, writeFiguresLink } from '@/lib/core/share/link/figures-link'
import { packText, unpackText } from '@/lib/core/share/link/packed-text'
import { readSettingsLink } from '@/lib/core/share/link/settings-link'
import { reportHtml, reportSvg } from './report-file'
import { factsOf, LOSSES, pageOf, TEXTS } from './testing/report-of-session'
import { writeReport } from './write-report'

describe('a link with the figures', () => {
  const link = (facts: ReportFacts) =>
    writeFiguresLink(facts, { model: 'gpt-5', sample: undefined })
  const cases = {
    'a session': factsOf(),
    'a session that is charged': factsOf({ isCharged: true }),
    'a session without a price': factsOf({ input: 'unknown' }),
    'a charged session without a price': factsOf({ isCharged: true, input: 'unknown' }),
    'a session that loses results': { ...factsOf(), losses: LOSSES },
    'masking switched off': factsOf({ policy: { enabled: false } }),
    names: {
      ...factsOf(),
      names: {
        file: 'run.json',
        tools: [{ name: undefined, results: 1, maskedResults: 0, tokens: 3 }],
      },
    },
  }

  test.each(Object.entries(cases))('gives the report of %s', (_, facts) => {
    const read = readFiguresLink(`#${link(facts)}`)
    if (read.state !== 'read') throw new RangeError(read.state)
    const html = (written: WrittenFacts) => reportHtml(writeReport(TEXTS, written, 'en'))
    expect(html(read.facts)).toBe(html(facts))
    expect(readSettingsLink(read.settings).settings).toMatchObject({
      policy: facts.policy,
      model: 'gpt-5',
    })
  })

  test('says that a link without figures, a cut one and a newer one cannot be read', () => {
    const whole = link(factsOf())
    expect(readFiguresLink('#v=2&w=8').state).toBe('missing')
    expect(readFiguresLink(whole.slice(0, -9)).state).toBe('damaged')
    expect(readFiguresLink(`v=2&f=${packText('{"version":2}')}`).state).toBe('newer_version')
  })

  test('is damaged if any of its values has another type', () => {
    const [settings, packed] = link(factsOf({ isCharged: true })).split('&f=') as [string, string]
    const unpacked = unpackText(packed)
    if (unpacked.state !== 'unpacked') throw new RangeError(unpacked.state)
    const whole = JSON.parse(unpacked.text) as Record<string, unknown>
    for (const key of Object.keys(whole)) {
      const changed = packText(JSON.stringify({ ...whole, [key]: '\u0000' }))
      expect(readFiguresLink(`${settings}&f=${changed}`).state, key).toBe('damaged')
    }
  })
})

describe('a report as a file', () => {
  test('has no text of the transcript and no names unless asked for', () => {
    const facts = factsOf()
    const page = pageOf(facts)
    const csv = requestsCsv(facts) + alternativesCsv(facts.alternatives)
    for (const text of [reportHtml(page), reportMarkdown(page), reportSvg(page.chart), csv]) {
      expect(text).not.toContain('launch code')
      expect(text).not.toContain('onerror')
    }
    const named = pageOf(factsOf({ names: true }))
    expect(reportHtml(named)).toContain('onerror')
    expect(reportHtml(named)).not.toContain('launch code')
  })

  test('escapes hostile names and loads nothing', () => {
    const html = reportHtml(pageOf(factsOf({ names: true })))
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(html).not.toMatch(/<(script|img|link|iframe|object|embed|base|form|a)\b/i)
    expect(html).not.toMatch(/<[^>]*\s(on\w+|src|href|action)=/i)
    expect(html).not.toMatch(/@import|url\(/i)
    expect(html).toContain('default-src &#x27;none&#x27;')
    const markdown = reportMarkdown(pageOf(factsOf({ names: true })))
    expect(markdown).not.toMatch(/(^|[^\\])<img/)
    expect(markdown).not.toMatch(/(^|[^\\])\[a\]\(/)
  })

  test('is well-formed: every tag is closed in order', () => {
    const html = reportHtml(pageOf(factsOf({ names: true })))
    const open: string[] = []
    for (const [, slash, name = '', rest] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)([^>]*)>/gi)) {
      if (['meta'].includes(name) || rest?.endsWith('/')) continue
      if (slash === '/') expect(open.pop()).toBe(name)
      else open.push(name)
    }
    expect(open).toEqual([])
  })

  test('CSV has a line for each request, its totals are those of the replay, and nothing is rounded', () => {
    const facts = factsOf()
    const { replayed } = facts
    const lines = requestsCsv(facts).trimEnd().split('\r\n')
    const header = (lines[0] as string).split(',')
    const cells = (line: string | undefined) =>
      Object.fromEntries((line ?? '').split(',').map((cell, at) => [header[at], cell]))
    expect(lines).toHaveLength(replayed.requests.length + 2)
    expect(cells(lines.at(-1))).toMatchObject({
      request: 'all',
      tokens_before: String(replayed.before.tokens),
      cost_before: String(replayed.before.costs.plain),
      cost_cached_before: String(replayed.before.costs.cached),
      cost_cached_after: String(replayed.after.costs.cached),
    })
    expect(cells(lines[2])).toMatchObject({
      request: '2',
      cost_cached_after: String(replayed.requests[1]?.after.costs.cached),
    })
  })

  test('its chart has a title, escaped text and valid numbers as SVG', () => {
    const chart = {
      series: { before: [1, 2], after: [undefined, undefined] },
      formatTick: String,
      formatValue: String,
      names: { before: 'Sent whole', after: 'Masked' },
      requestLabel: String,
      limit: { value: 2, label: 'limit' },
    }
    const charts = [
      { ...chart, title: '<b>&"\u0000' },
      { ...chart, title: 'none', series: { before: [], after: [] } },
    ]
    const svg = reportSvg({ title: 'T <', description: 'D & E', charts })
    expect(svg).toContain('<title id="chart-title">T &lt;</title>')
    expect(svg).toContain('D &amp; E')
    expect(svg).toContain('&lt;b&gt;&amp;&quot;\ufffd')
    expect(svg.match(/stroke-linejoin/g)).toHaveLength(1)
    expect(svg.match(/stroke-dasharray/g)).toHaveLength(1)
    expect(svg).not.toMatch(/NaN|undefined|Infinity/)
  })
})
