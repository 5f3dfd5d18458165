import { createFormatter, createTranslator } from 'use-intl/core'
import { describe, expect, test } from 'vitest'
import { figureFormat } from '@/lib/core/report/figure-format'
import { requestsCsv } from '@/lib/core/report/report-csv'
import type { ReportFacts, WrittenFacts } from '@/lib/core/report/report-facts'
import { reportMarkdown } from '@/lib/core/report/report-page'
import { readFiguresLink, writeFiguresLink } from '@/lib/core/share/link/figures-link'
import { packText, unpackText } from '@/lib/core/share/link/packed-text'
import { readSettingsLink } from '@/lib/core/share/link/settings-link'
import { inWords, type Words } from '@/lib/core/words/words'
import { loadTexts } from '@/lib/messages/languages'
import { reportHtml, reportSvg } from './report-file'
import { factsOf, LOSSES, pageOf, TEXTS, textOf } from './testing/report-of-session'
import { writeReport } from './write-report'

test('a report is in the language of the page, its figures included', async () => {
  const { messages, core } = await loadTexts('fr')
  const texts = {
    words: (words: Words) => inWords(words, core),
    t: createTranslator({ locale: 'fr', messages, namespace: 'report' }),
    format: figureFormat(createFormatter({ locale: 'fr', timeZone: 'UTC' })),
    rule: 'known' as const,
  }
  const page = writeReport(texts, factsOf(), 'fr')
  expect(page.headline).toMatch(/le masquage augmente de \d+\s% .*\s: \d,\d+\s\$/)
  expect(reportHtml(page)).toContain('<html lang="fr">')
  expect(texts.words({ name: 'Data set' })).toBe('jeu de données')
  expect(reportMarkdown(page)).toMatch(/\n- [^:\n]+\u00a0: /)
})

const BAND = {
  ...{ provider: 'anthropic', own: { requests: 8, misses: 1 } },
  perfect: { before: 2, after: 1 },
  before: { low: 3, middle: 4, high: 5 },
  after: { low: 1.5, middle: 2, high: 2.5 },
  change: { low: -0.5, middle: -0.5, high: -0.25 },
}

function limitsOf({ replayed: { before } }: ReportFacts) {
  const { cached = 0 } = before.costs
  return { any: cached * 0.75, withoutLosses: cached * 0.875 }
}

/** A recommended window that moves at break-even. */
function atBreakEven(facts: ReportFacts): ReportFacts {
  const point = { windowTurns: 8, batchTurns: 'auto' as const, total: facts.replayed.after }
  const costs = { cost: 1, worstCost: 1, costBefore: 2, savedShare: 0.5, savedAtWorst: 0.5 }
  return { ...facts, recommendation: { state: 'mask', point, lostUses: 0, ...costs } }
}

/** What the first section of a report says. */
const firstItems = (facts: ReportFacts) => pageOf(facts).sections[0]?.items?.join(' ')

/** The cells of a CSV by their column, line by line. */
function rowsOf(csv: string) {
  const lines = csv.trimEnd().split('\r\n')
  const [names = [], ...rows] = lines.map((line) => line.split(','))
  return rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [names[at] ?? '', cell])))
}

describe('a report in words', () => {
  test('has the numbers of the replay: tokens, money without and with caching', () => {
    const facts = factsOf()
    const { before, after } = facts.replayed
    const { number, money, change } = TEXTS.format
    const figures = [
      ...[before, after].map(({ tokens }) => number(tokens)),
      ...(['plain', 'cached'] as const).flatMap((caching) => {
        const [whole, masked] = [before.costs[caching], after.costs[caching]]
        return [money(whole, masked), money(masked, whole)]
      }),
      change(before.costs.plain, after.costs.plain),
    ]
    for (const text of [textOf(reportHtml(pageOf(facts))), reportMarkdown(pageOf(facts))])
      for (const figure of figures) expect(text).toContain(figure)
  })

  test('says what was possible with the window', () => {
    expect(reportMarkdown(pageOf({ ...factsOf(), limits: limitsOf(factsOf()) }))).toMatch(
      /[Ss]aving 25% was possible .*; 1[23]% without|of the 25% that were possible .*; 1[23]% without/,
    )
  })

  test('has the cost with misses as a band, in the CSV too', () => {
    const facts = { ...factsOf(), band: BAND }
    expect(reportMarkdown(pageOf(facts))).toContain(
      'With the misses observed at Anthropic: $3.00 to $5.00, after masking $1.50 to $2.50 (−50% to −25%), in 90% of cases. With a perfect cache: $2.00, after masking $1.00.',
    )
    expect(rowsOf(requestsCsv(facts)).at(-1)).toMatchObject({
      cost_cached_before_perfect: '2',
      cost_cached_after_high: '2.5',
      cost_cached_change_low: '-0.5',
    })
  })

  test.each([
    [
      'warn',
      /^With the prompt caching of GPT-5, masking makes the input .* \d+% more expensive/,
      {},
    ],
    ['good', /^Masking makes the input of this session \d+% cheaper/, { family: 'none' }],
    ['plain', /^Masking is off/, { policy: { enabled: false } }],
    ['plain', /^Masking does not change the cost/, { turns: 3 }],
    ['plain', /there is no price for GPT-5/, { input: 'unknown' as const }],
  ])('has the tone %s and the headline %s', (tone, headline, given) => {
    const page = pageOf(factsOf(given))
    expect(page).toMatchObject({ tone, headline: expect.stringMatching(headline) })
    expect(JSON.stringify(page)).not.toMatch(/NaN|undefined|Infinity/)
  })

  test('says how many places of the history a provider can reject, and how many masking adds', () => {
    expect(firstItems({ ...factsOf(), history: { found: 1, added: 2 } })).toContain(
      'A provider can reject 1 place of this history, with or without masking. Masking changes results before the signed thinking of 2 answers',
    )
  })

  test('says which windows the recommendation was chosen from', () => {
    const facts = factsOf()
    const sentences = (smallestWindow: number) =>
      firstItems({ ...facts, advice: { ...facts.advice, smallestWindow } })
    expect(sentences(1)).not.toContain('keep at least')
    expect(sentences(8)).toMatch(/keep at least 8 turns|Keeping last 8 turns or more/)
  })

  test('names policy, model, price date, sources and assumptions', () => {
    const text = textOf(reportHtml(pageOf(factsOf({ policy: { batchTurns: 4 } }))))
    for (const expected of [
      ...['window_turns', 'batch_turns', 'GPT-5 (OpenAI)'],
      ...['@pydantic/genai-prices 0.1.8, September 23, 2026', 'OpenAI GPT-5 to GPT-5.5'],
      ...['November 2026', 'https://developers.openai.com/api/docs/guides/prompt-caching'],
      ...['o200k_base', 'Cache entries do not expire', 'The agent takes the same steps'],
      ...['whether the agent works as well'],
    ])
      expect(text).toContain(expected)
  })
})

describe('a report of a session whose usage is stated', () => {
  const facts = factsOf({ isCharged: true, policy: { batchTurns: 8 } })
  const { number, money } = TEXTS.format
  const charge = facts.charged?.charge

  test('says first what was charged and what it would have been, then the parts and the calibration', () => {
    const page = pageOf(facts)
    expect(page.headline).toMatch(
      /^What the provider counted costs \$[\d.]+ at the prices in use; with this policy it would have been about \$[\d.]+ \([+−]\d.* All other costs are of our replay: \$[\d.]+ unmasked, \$[\d.]+ masked\.$/,
    )
    expect(page.headline).toContain(money(charge?.inputCost))
    const { before, after } = facts.replayed
    const share = (after.costs.cached ?? 0) / (before.costs.cached ?? 1)
    expect(page.headline).toContain(money((charge?.inputCost ?? 0) * share, charge?.inputCost))
    for (const text of [textOf(reportHtml(page)), reportMarkdown(page).replaceAll('\\', '')]) {
      expect(text).toContain('Charged by the provider for 61 requests')
      expect(text).toContain('System prompt and tools not in the file')
      expect(text).toContain(`${number(charge?.inputTokens)} tokens`)
      expect(text).toContain('5,000 tokens at the head, 0 with each request')
      expect(text).toContain('usage of 61 requests; half deviate by less than 0%')
    }
    const { charged } = facts
    const part = pageOf({ ...facts, charged: charged && { ...charged, fileCost: 9 } })
    expect(part.headline).toMatch(
      /^What the provider counted costs .* for this conversation \(\$9\.00 for all 3 conversations\) at the prices in use; with this policy/,
    )
    const off = pageOf(factsOf({ isCharged: true, policy: { enabled: false } }))
    expect(off.headline).toContain(
      `counted costs ${money(charge?.inputCost)} at the prices in use; masking is off. All other`,
    )
    expect(JSON.stringify([page, off])).not.toMatch(/NaN|undefined|Infinity/)
  })

  test('has it in the CSV by request, with parts that add up', () => {
    const rows = rowsOf(requestsCsv(facts))
    const of = (row: (typeof rows)[number] | undefined, name: string) => Number(row?.[name])
    expect(of(rows[1], 'charged_tokens')).toBe(of(rows[1], 'tokens_before'))
    expect(of(rows.at(-1), 'charged_tokens')).toBe(charge?.inputTokens)
    expect(of(rows.at(-1), 'charged_cost')).toBe(charge?.inputCost)
    expect(of(rows.at(-1), 'calibration_head_tokens')).toBe(5000)
    for (const row of rows) {
      const parts = Object.entries(row).filter(([name]) => name.startsWith('charged_part_'))
      const sum = parts.reduce((total, [, cell]) => total + Number(cell), 0)
      const difference = of(row, 'charged_cost') - of(row, 'charged_plain_replay_cost')
      expect(sum).toBeCloseTo(difference, 9)
    }
  })

  test('has no cost and no parts in the CSV if a price is unknown', () => {
    const last = rowsOf(requestsCsv(factsOf({ isCharged: true, input: 'unknown' }))).at(-1) ?? {}
    const filled = Object.keys(last).filter((name) => last[name] !== '')
    expect(filled).toContain('charged_tokens')
    expect(filled.filter((name) => /^charged_(part|cost|plain)/.test(name))).toEqual([])
  })
})

describe('what masking loses', () => {
  const section = (facts: ReportFacts) =>
    pageOf(facts).sections.find(({ title }) => title === 'What masking loses')

  test('has the numbers, the range of the cost, the definition and published outcomes', () => {
    const facts = { ...factsOf(), losses: LOSSES }
    expect(pageOf(facts).headline).toMatch(
      / At worst \+[\d,]+%: 2 results are used again after masking\.$/,
    )
    const found = section(facts)
    const said = JSON.stringify(found?.items)
    expect(said).toContain('Under this policy 3 could no longer be read, from 2 masked results.')
    expect(said).toContain('95% of them within 6 turns')
    expect(said).toMatch(/the input costs \$1\.00.*with up to 5 such fetches\./)
    expect(said).toContain('Published, 2,496 pairs')
    expect(said).toMatch(/turns [−-]11% to \+15%/)
    expect(said).toContain('−3.8 to +2.8 points')
    expect(section(factsOf())).toBeUndefined()
  })

  test('is in the CSV by request', () => {
    const rows = rowsOf(requestsCsv({ ...factsOf(), losses: LOSSES }))
    expect(rows[0]).toMatchObject({ later_uses: '0', lost_uses: '0' })
    for (const at of [1, -1])
      expect(rows.at(at)).toMatchObject({ later_uses: '12', lost_uses: '3' })
  })
})

describe('a link with the figures', () => {
  const model = 'gpt-5'
  const link = (facts: ReportFacts) =>
    writeFiguresLink(facts, { model, sample: undefined, mechanism: undefined })
  const unnamed = { name: undefined, results: 1, maskedResults: 0, tokens: 3 }
  const cases = {
    'a session': factsOf(),
    'a session that is charged': factsOf({ isCharged: true }),
    'a session without a price': factsOf({ input: 'unknown' }),
    'a charged session without a price': factsOf({ isCharged: true, input: 'unknown' }),
    'a session that loses results': { ...factsOf(), losses: LOSSES },
    'a session with misses': { ...factsOf(), band: BAND },
    'what was possible': { ...factsOf(), limits: limitsOf(factsOf()) },
    'a window that moves at break-even': atBreakEven(factsOf()),
    'masking switched off': factsOf({ policy: { enabled: false } }),
    names: { ...factsOf(), names: { file: 'run.json', tools: [unnamed] } },
  }

  test.each(Object.entries(cases))('gives the report of %s', (_, facts) => {
    const read = readFiguresLink(`#${link(facts)}`)
    if (read.state !== 'read') throw new RangeError(read.state)
    const html = (written: WrittenFacts) => reportHtml(writeReport(TEXTS, written, 'en'))
    expect(html(read.facts)).toBe(html(facts))
    const { settings } = readSettingsLink(read.settings)
    expect(settings).toMatchObject({ policy: facts.policy, model })
  })

  test('of an older page, with a table of strategies, opens without it', () => {
    const [settings, packed] = link(factsOf()).split('&f=') as [string, string]
    const unpacked = unpackText(packed)
    if (unpacked.state !== 'unpacked') throw new RangeError(unpacked.state)
    const rest = JSON.parse(unpacked.text)
    const older = packText(JSON.stringify({ ...rest, alternatives: [{}], cheaper: [{}] }))
    const read = readFiguresLink(`${settings}&f=${older}`)
    expect(read).toMatchObject({ state: 'read' })
    expect(read).not.toHaveProperty('facts.cheaper')
    expect(read).not.toHaveProperty('facts.alternatives')
  })

  test('says that a link without figures, a cut one and a newer one cannot be read', () => {
    const whole = link(factsOf())
    expect(readFiguresLink('#v=2&w=8').state).toBe('missing')
    expect(readFiguresLink(whole.slice(0, -9)).state).toBe('damaged')
    expect(readFiguresLink(`v=2&f=${packText('{"version":2}')}`).state).toBe('newer_version')
  })

  test('is damaged if any of its values has another type', () => {
    const facts = factsOf({ isCharged: true })
    const all = { ...facts, losses: LOSSES, band: BAND, limits: limitsOf(facts) }
    const [settings, packed] = link(all).split('&f=') as [string, string]
    const unpacked = unpackText(packed)
    if (unpacked.state !== 'unpacked') throw new RangeError(unpacked.state)
    const whole = JSON.parse(unpacked.text) as Record<string, unknown>
    // Every fact is read.
    for (const key of Object.keys(whole)) {
      const changed = packText(JSON.stringify({ ...whole, [key]: '\u0000' }))
      expect(readFiguresLink(`${settings}&f=${changed}`).state, key).toBe('damaged')
    }
  })
})

describe('a report as a file', () => {
  const named = pageOf(factsOf({ names: true }))

  test('has no text of the transcript and no names unless asked for', () => {
    const facts = factsOf()
    const page = pageOf(facts)
    const csv = requestsCsv(facts)
    for (const text of [reportHtml(page), reportMarkdown(page), reportSvg(page.chart), csv]) {
      expect(text).not.toContain('launch code')
      expect(text).not.toContain('onerror')
    }
    expect(reportHtml(named)).not.toContain('launch code')
  })

  test('escapes hostile names and loads nothing', () => {
    const html = reportHtml(named)
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(html).not.toMatch(/<(script|img|link|iframe|object|embed|base|form|a)\b/i)
    expect(html).not.toMatch(/<[^>]*\s(on\w+|src|href|action)=/i)
    expect(html).not.toMatch(/@import|url\(/i)
    expect(html).toContain('default-src &#x27;none&#x27;')
    expect(reportMarkdown(named)).not.toMatch(/(^|[^\\])(<img|\[a\]\()/)
  })

  test('CSV has a line for each request, its totals are those of the replay, and nothing is rounded', () => {
    const facts = factsOf()
    const { before, after, requests } = facts.replayed
    const rows = rowsOf(requestsCsv(facts))
    expect(rows).toHaveLength(requests.length + 1)
    const cost_cached_after = String(after.costs.cached)
    expect(rows.at(-1)).toMatchObject({
      ...{ request: 'all', tokens_before: String(before.tokens), cost_cached_after },
      cost_before: String(before.costs.plain),
      cost_cached_before: String(before.costs.cached),
    })
    const second = String(requests[1]?.after.costs.cached)
    expect(rows[1]).toMatchObject({ request: '2', cost_cached_after: second })
  })

  test('its chart has a title, escaped text and valid numbers as SVG', () => {
    const chart = {
      series: { before: [1, 2], after: [undefined, undefined] },
      ...{ formatTick: String, formatValue: String, requestLabel: String },
      names: { before: 'Sent whole', after: 'Masked' },
      limit: { value: 2, label: 'limit' },
    }
    const empty = { ...chart, title: 'none', series: { before: [], after: [] } }
    const charts = [{ ...chart, title: '<b>&"\u0000' }, empty]
    const svg = reportSvg({ title: 'T <', description: 'D & E', charts })
    expect(svg).toContain('<title id="chart-title">T &lt;</title>')
    expect(svg).toContain('D &amp; E')
    expect(svg).toContain('&lt;b&gt;&amp;&quot;\ufffd')
    expect(svg.match(/stroke-linejoin/g)).toHaveLength(1)
    expect(svg.match(/stroke-dasharray/g)).toHaveLength(1)
    expect(svg).not.toMatch(/NaN|undefined|Infinity/)
  })
})
