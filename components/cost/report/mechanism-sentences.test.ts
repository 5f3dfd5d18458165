import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ENGLISH_FORMAT } from '@/lib/core/report/figure-format'
import { mechanismAdvice } from '@/lib/core/report/mechanism-advice'
import type { WrittenFacts } from '@/lib/core/report/report-facts'
import { inEnglish } from '@/lib/core/words/english'
import { comparisonOf, mechanismFactsOf } from '@/lib/state/costs/mechanisms'
import { reportFactsOf } from '@/lib/state/costs/session-report'
import { eventually } from '@/lib/state/testing/eventually'
import { opened } from '@/lib/state/testing/open-session'
import { mechanismSentences } from './report-sentences'
import { TEXTS } from './testing/report-of-session'

const sample = (path: string) => readFileSync(`public/samples/${path}`, 'utf8')
const CODING = sample('coding-session.json')

/** Its client cleared results. */
const CLEARED = sample('formats/opencode/export.json').replaceAll(
  '"status": "completed",',
  '"status": "completed", "time": { "compacted": 1795338030000 },',
)

const CASES = [
  ['what costs least where the client cleared results', CLEARED, ['superseded-first'], ['best']],
  ['what costs least', CODING, ['truncate', 'swe-agent-last-n', 'summary', 'schema1'], ['best']],
  ['Schema 1', CODING, ['schema1'], ['best']],
  ['nothing, where nothing saves', CODING, ['opencode-prune'], []],
  [
    'what the client can do, which costs least',
    sample('formats/openhands/sdk-events.json'),
    ['openhands-amortized', 'truncate'],
    ['both'],
  ],
  [
    'what the client can do, and what costs less',
    sample('formats/openhands/sdk-events.json'),
    ['openhands-amortized', 'superseded-first'],
    ['best', 'own'],
  ],
] as const

test.each(CASES)('a report advises what the page does: %s', async (_, text, ids, advised) => {
  const { store, actions } = await opened(text)
  const get = store.getState
  actions.compareMechanisms(ids)
  await eventually(() => expect(comparisonOf(get())?.areAllKnown).toBe(true))
  const comparison = comparisonOf(get()) as NonNullable<ReturnType<typeof comparisonOf>>
  const { advice, read } = get()
  const given = { ...comparison, keptShare: advice.keptShare, format: read?.model.format }
  const [headline = []] = mechanismAdvice(given, ENGLISH_FORMAT)
  const facts = reportFactsOf(get(), { day: '2026-11-29', hasNames: false }) as WrittenFacts
  const reported = mechanismFactsOf(get()) ?? []
  expect(reported.flatMap((one) => one.advised ?? [])).toEqual(advised)
  const said = mechanismSentences(TEXTS, facts, reported)
  expect(said).toEqual(headline.map(inEnglish))
  for (const one of said) expect(one).not.toContain('placeholder_template')
})

test('tools that a user names are in no sentence of a report', async () => {
  const { store, actions } = await opened(CODING)
  actions.changePolicy({ excludeTools: ['read_file'], windowTurns: 20, batchTurns: 20 })
  actions.compareMechanisms(['schema1'])
  await eventually(() => expect(comparisonOf(store.getState())?.areAllKnown).toBe(true))
  const facts = mechanismFactsOf(store.getState())
  expect(facts?.length).toBeGreaterThan(0)
  expect(JSON.stringify(facts)).not.toContain('read_file')
})
