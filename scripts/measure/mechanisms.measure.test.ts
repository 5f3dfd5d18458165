/**
 * Prints the tables of `docs/mechanisms.md`: what each mechanism does to the sessions of the samples and of folders, by default
 * and at its cheapest settings for each session: `FOLDERS=one,other npm run mechanisms`.
 */
import { expect, test } from 'vitest'
import {
  type ComparedMechanism,
  measureMechanisms,
  pricedHistories,
} from '../../lib/cli/bench-mechanisms'
import { termsFromFlags } from '../../lib/cli/cost-flags'
import { parseFlags } from '../../lib/cli/flags'
import { measuredSessions } from '../../lib/cli/measure-document'
import { readDocument } from '../../lib/core/formats/read-document'
import type { ShownFigures } from '../../lib/core/mechanisms/measure-mechanism'
import { DEFAULT_POLICY } from '../../lib/core/policy/policy'
import { median } from '../../lib/core/replay/calibration/readable-head'
import { ENGLISH_FORMAT } from '../../lib/core/report/figure-format'
import { loadEncoding } from '../../lib/core/tokens/encoding'
import { modelOfDocument } from '../../lib/core/tokens/model-families'
import { markdownTable } from './testing/tables'
import { foldersOf, transcriptsIn } from './testing/transcripts'

const FEWEST_REQUESTS = 25
const POLICY = { ...DEFAULT_POLICY, enabled: true }
const { share, change } = ENGLISH_FORMAT

/** By mechanism: what it did to each session of enough requests whose price is known, beside the cost without it. */
type Found = Map<string, (ComparedMechanism & { readonly before: number; readonly uses: number })[]>

async function measure(folder: string): Promise<Found> {
  const termsOf = await termsFromFlags(parseFlags([], []))
  const encoding = await loadEncoding('o200k_base')
  const found: Found = new Map()
  const known = new Set<string>()
  for (const { text } of transcriptsIn(folder)) {
    let conversations: ReturnType<typeof readDocument>['conversations']
    try {
      conversations = readDocument(text).conversations
    } catch {
      continue
    }
    const measured = measuredSessions(
      conversations,
      POLICY,
      encoding,
      termsOf(modelOfDocument(conversations)),
      true,
    )
    for (const one of pricedHistories(conversations, measured, encoding)) {
      const { history } = one
      const key = history.prefixTokens.join()
      // The same session can be there in several formats.
      if (history.ends.length < FEWEST_REQUESTS || known.has(key)) continue
      known.add(key)
      const { unchanged, compared } = measureMechanisms([one], POLICY, undefined)
      const before = unchanged?.cost
      for (const each of before === undefined ? [] : compared) {
        expect(each.best.cost).toBeLessThanOrEqual(each.measure.cost as number)
        const row = { ...each, before: before as number, uses: history.uses.length }
        found.set(each.mechanism.label, [...(found.get(each.mechanism.label) ?? []), row])
      }
    }
  }
  return found
}

test.each(['public/samples', ...foldersOf(process.env.FOLDERS?.split(','))])(
  'no mechanism costs more at its cheapest settings than by default: %s',
  async (folder) => {
    const rows = [...(await measure(folder))].map(([mechanism, all]) => {
      const of = (side: 'measure' | 'best') => {
        const changes = all.map((one) => (one[side].cost as number) / one.before)
        const sum = (figure: (one: ShownFigures) => number) =>
          all.reduce((total, one) => total + figure(one[side]), 0)
        const uses = all.reduce((total, one) => total + one.uses, 0)
        return {
          median: change(1, median(changes)),
          worst: change(1, Math.max(...changes)),
          'uses lost': share(sum((one) => one.lostUses) / Math.max(1, uses)),
          rewrites: Math.round(sum((one) => one.rewrites) / all.length),
        }
      }
      const best = Object.entries(of('best')).map(([key, value]) => [`cheapest: ${key}`, value])
      return { mechanism, ...of('measure'), ...Object.fromEntries(best) }
    })
    const [first] = rows
    console.log(
      `\n### ${folder}${first ? '' : ': no session'}\n\n${first ? markdownTable(rows) : ''}`,
    )
  },
  3_600_000,
)
