import { expect, test } from 'vitest'
import { FORMATS } from '../formats/read-document'
import type { ShownFigures } from '../mechanisms/measure-mechanism'
import { defaultSettings } from '../mechanisms/mechanism'
import { MECHANISM_FACTS } from '../mechanisms/mechanism-table'
import { inEnglish } from '../words/english'
import { phrase } from '../words/words'
import { ENGLISH_FORMAT } from './figure-format'
import { mechanismAdvice, namesOf } from './mechanism-advice'

/** A row with the defaults of a mechanism, or some other settings. */
function row(id: string, cost: number | undefined, more: Partial<ShownFigures> = {}) {
  const settings = { ...defaultSettings(MECHANISM_FACTS[id] ?? { rows: [] }), ...more.settings }
  const none = { lostUses: 0, forgotten: 0, rewrites: 0, rewrittenTokens: 0, extraRequests: 0 }
  const measure = { ...none, tokens: 500, peakTokens: 100, cost, ...more, settings }
  return { id, measure, best: undefined }
}

function advised(rows: ReturnType<typeof row>[], format?: string, cost: number | undefined = 10) {
  const unchanged = { tokens: 1_000, cost }
  const given = { unchanged, rows, laterUses: 100, keptShare: 0.95, format }
  return mechanismAdvice(given, ENGLISH_FORMAT).map((words) => words.map(inEnglish).join(' '))
}

const COMPACTION = row('claude-code-compact', 9, {
  settings: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: 30 },
  lostUses: 2,
})
const TRUNCATE = row('truncate', 7, { rewrites: 3 })

test('what the client can do as it is comes first, then what costs less, with what each needs', () => {
  const [headline, why] = advised([TRUNCATE, COMPACTION], 'claude-code')
  expect(headline).toBe(
    'Claude Code can do this as it is: Claude Code compaction CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=30, −10%. Of the settings tried that keep 95% of the later uses, Truncation of long results costs least: −30%.',
  )
  expect(why).toMatch(
    /^Claude Code compaction loses 2 of 100 later uses, .* What it needs: Claude Code does it by itself\..* Truncation of long results loses 0 of 100 later uses, and sends 500 tokens in place of 1,000; requests that change what was cached: 3\. What it needs: The client cuts results/,
  )
})

test('both are the same where the client can do what costs least', () => {
  const [headline, why] = advised([COMPACTION, row('truncate', 9.5)], 'claude-code')
  expect(headline).toBe(
    'Claude Code can do this as it is: Claude Code compaction CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=30, −10%. Of the settings tried that keep 95% of the later uses, Claude Code compaction CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=30 costs least: −10%.',
  )
  expect(why?.match(/What it needs/g)).toHaveLength(1)
})

test.each([
  ['another client', 'codex', COMPACTION],
  ['no client', undefined, COMPACTION],
  ['an own mechanism that saves nothing', 'claude-code', row('claude-code-compact', 10)],
  [
    'one that keeps too few uses',
    'claude-code',
    { ...COMPACTION, measure: { ...COMPACTION.measure, lostUses: 6 } },
  ],
])('only what costs least is named with %s', (_, format, own) => {
  expect(advised([own, TRUNCATE], format)[0]).toBe(
    'Of the settings tried that keep 95% of the later uses, Truncation of long results costs least: −30%.',
  )
})

test('nothing is recommended where nothing saves, or a price is unknown', () => {
  expect(advised([row('truncate', 11)], 'langchain')).toEqual([
    'Change nothing: no setting that was tried costs less and keeps 95% of the 100 later uses.',
  ])
  const unchanged = { tokens: 1_000, cost: undefined }
  const given = { unchanged, rows: [TRUNCATE], laterUses: 1, keptShare: 0.95, format: undefined }
  expect(mechanismAdvice(given, ENGLISH_FORMAT)).toEqual([[{ key: 'advice_unpriced' }]])
})

test('a client of mechanisms has one name, and a format of its own', () => {
  const names = new Map<string, string>()
  for (const { client } of Object.values(MECHANISM_FACTS)) {
    if (client === undefined) continue
    expect(names.get(client.format) ?? client.name).toBe(client.name)
    names.set(client.format, client.name)
    expect(FORMATS.map(({ id }) => id)).toContain(client.format)
  }
  expect(names.size).toBeGreaterThan(5)
})

test('a mechanism that this version does not know has its id as its name', () => {
  expect(namesOf('new-one', 'n=1')).toEqual({
    client: { name: '' },
    name: phrase('label_and_settings', { label: { name: 'new-one' }, settings: 'n=1' }),
  })
})
