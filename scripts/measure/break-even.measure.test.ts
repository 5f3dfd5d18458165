/**
 * Prints the tables of `docs/break-even.md`: what ways to move a window cost in the exact replay, for the samples, for
 * transcripts made from them, and for those in folders, with bounds on how far break-even is from the cheapest moves:
 * `FOLDERS=one,other npm run break-even`, by default `../shared/corpus` and its like.
 */
import { expect, test } from 'vitest'
import { measuredSessions } from '../../lib/cli/measure-document'
import type { PreparedSession } from '../../lib/core/fleet/measure-sessions'
import { readDocument } from '../../lib/core/formats/read-document'
import { DEFAULT_POLICY } from '../../lib/core/policy/policy'
import { type CacheFamily, cacheFamilyById, cacheOfFamily } from '../../lib/core/replay/cache-rules'
import { median } from '../../lib/core/replay/calibration/readable-head'
import { priceSheet } from '../../lib/core/replay/price-sheet'
import { replayPrepared } from '../../lib/core/replay/replay'
import type { CostTerms } from '../../lib/core/replay/request-terms'
import { loadEncoding } from '../../lib/core/tokens/encoding'
import { modelOfDocument } from '../../lib/core/tokens/model-families'
import { sessionLimits } from '../../lib/core/uses/lost-uses'
import { markdownTable, quantile } from './testing/tables'
import { foldersOf, makeBody, sampledShape, transcriptsIn } from './testing/transcripts'

const WINDOW = DEFAULT_POLICY.windowTurns
const FEWEST_TURNS = 25
const BATCHES = [4, 8, 16, 32, 64]

const family = (id: string) => cacheFamilyById(id) as CacheFamily
const prefix = family('openai-5')
const RULES: readonly (readonly [name: string, family: CacheFamily])[] = [
  ['longest prefix, writes at 1.0 (OpenAI GPT-5)', prefix],
  ['longest prefix, writes at 1.25', { ...prefix, writeFactor: 1.25 }],
  ['only the head after a change, writes at 1.25 (Anthropic)', family('anthropic-1024')],
]

const encoding = await loadEncoding('o200k_base')

function* textsOf(folder: string): Generator<string> {
  for (const { text } of transcriptsIn(folder)) yield text
}

function* madeTexts(): Generator<string> {
  for (const turns of [50, 100, 200, 400])
    for (const chars of [1_000, 4_000]) yield makeBody(sampledShape(turns, chars))
}

/** What one session costs, as parts of what it costs without masking. */
function sharesOf({ prepared, losable }: PreparedSession, terms: CostTerms) {
  const costOf = (windowTurns: number, batchTurns: number | 'auto') =>
    replayPrepared(prepared, { windowTurns, batchTurns }, terms).after.costs.cached as number
  const before = costOf(0, 1)
  const limits = sessionLimits(prepared, losable, WINDOW, terms)
  if (limits.any === undefined || before === 0) return undefined
  const shares = {
    'not masking': 1,
    'every turn': costOf(WINDOW, 1) / before,
    'every 16 turns': costOf(WINDOW, 16) / before,
    'best of 4 to 64, in hindsight': Math.min(...BATCHES.map((n) => costOf(WINDOW, n))) / before,
    'break-even': costOf(WINDOW, 'auto') / before,
    limit: limits.any.cost / before,
  }
  return { shares, limit: shares.limit }
}
type Measured = NonNullable<ReturnType<typeof sharesOf>>

/** By rule: what the sessions of some texts cost. */
function measure(texts: Iterable<string>): Measured[][] {
  const known = new Set<string>()
  const policy = { ...DEFAULT_POLICY, enabled: true, textParts: true }
  const found: Measured[][] = RULES.map(() => [])
  for (const text of texts) {
    let conversations: ReturnType<typeof readDocument>['conversations']
    try {
      conversations = readDocument(text).conversations
    } catch {
      continue
    }
    const terms = RULES.map(([, own]): CostTerms => {
      return { prices: priceSheet(undefined, own, { input: 1, output: 5 }), rule: own.rule }
    })
    const model = modelOfDocument(conversations) ?? ''
    const named = { model, termsFor: () => terms[0] as CostTerms }
    for (const one of measuredSessions(conversations, policy, encoding, named, true).sessions) {
      const { counts, requests } = one.session
      const turns = requests.at(-1)?.turnCount ?? 0
      // The same session can be there in several formats.
      const key = `${turns} ${counts.results.join(' ')}`
      if (turns < FEWEST_TURNS || known.has(key)) continue
      known.add(key)
      for (const [at, [, own]] of RULES.entries()) {
        // The rule knows the cache that it is measured with, not that of the transcript's model; its steps are kept by `aging`.
        const { prepared } = one
        const cached = { ...prepared, cache: cacheOfFamily(own), aging: [...prepared.aging] }
        const shares = sharesOf({ ...one, prepared: cached }, terms[at] as CostTerms)
        if (shares !== undefined) found[at]?.push(shares)
      }
    }
  }
  return found
}

const sets: readonly (readonly [name: string, texts: () => Iterable<string>])[] = [
  ['the samples', () => textsOf('public/samples')],
  ['made from the samples', madeTexts],
  ...foldersOf(process.env.FOLDERS?.split(',')).map((one) => [one, () => textsOf(one)] as const),
]

/** A few sessions can all be of one kind. */
const FEWEST_SESSIONS = 5

test.each(sets)(
  'break-even is near the cheapest moves of %s',
  (name, texts) => {
    for (const [at, found] of measure(texts()).entries()) {
      const rule = RULES[at]?.[0]
      if (found.length === 0) continue
      const ways = Object.keys(found[0]?.shares ?? {}) as (keyof Measured['shares'])[]
      const rows = ways.map((way) => {
        const shares = found.map((one) => one.shares[way])
        const over = found.map(({ shares, limit }) => shares[way] / limit)
        const mean = over.reduce((sum, one) => sum + one, 0) / over.length
        if (way === 'break-even' && found.length >= FEWEST_SESSIONS) {
          expect(mean).toBeLessThan(1.1)
          expect(Math.max(...over)).toBeLessThan(1.5)
        }
        return {
          'window moves': way,
          median: (median(shares) ?? 0).toFixed(2),
          worst: Math.max(...shares).toFixed(2),
          'over 1.10': shares.filter((share) => share > 1.1).length,
          'over the limit: mean': mean.toFixed(3),
          '95 %': quantile(over, 0.95).toFixed(2),
          most: Math.max(...over).toFixed(2),
        }
      })
      console.log(`\n### ${name}: ${found.length} sessions, ${rule}\n\n${markdownTable(rows)}`)
    }
  },
  600_000,
)
