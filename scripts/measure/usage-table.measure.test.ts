/**
 * Prints the tables of `docs/costs.md`: what was charged for the transcripts in folders, what the replay says, and whether the
 * band that the first half of a session predicts for its second contains the charge; then the misses observed.
 * `FOLDERS=one,other npm run usage-table`, by default `corpus`, `more-formats` and `reports` in `../shared`.
 */
import { expect, test } from 'vitest'
import { termsFromFlags } from '../../lib/cli/cost-flags'
import { parseFlags } from '../../lib/cli/flags'
import { addUp } from '../../lib/core/conversation/add-up'
import { readDocument } from '../../lib/core/formats/read-document'
import { median } from '../../lib/core/replay/calibration/readable-head'
import { CHARGE_PARTS } from '../../lib/core/replay/charged/explain-charges'
import { type Band, bandOf } from '../../lib/core/replay/misses/cost-band'
import type { ObservedMisses } from '../../lib/core/replay/misses/miss-rates'
import { ENGLISH_FORMAT } from '../../lib/core/report/figure-format'
import { loadEncoding } from '../../lib/core/tokens/encoding'
import { familyOfModel, modelOfDocument, OTHER_MODELS } from '../../lib/core/tokens/model-families'
import { type HeldOutHalf, measureUsage, type UsageMeasure } from './testing/measure-usage'
import { markdownTable } from './testing/tables'
import { foldersOf, transcriptsIn } from './testing/transcripts'

const termsOf = await termsFromFlags(parseFlags([], []))
const { number, money } = ENGLISH_FORMAT

async function measureText(text: string): Promise<UsageMeasure | undefined> {
  try {
    const { conversations } = readDocument(text)
    const model = modelOfDocument(conversations)
    const encoding = await loadEncoding((familyOfModel(model) ?? OTHER_MODELS).encoding)
    return measureUsage(conversations, termsOf(model), encoding.countTokens)
  } catch {
    // Not a transcript.
    return undefined
  }
}

const share = (part: number | undefined) =>
  part === undefined ? '–' : `${((part - 1) * 100).toFixed(1).replace('-', '−')} %`
const signed = (value: number) => `${value < 0 ? '−' : ''}${money(Math.abs(value))}`

/** A few sessions can all be of one kind. */
const FEWEST_HALVES = 10

test('the replay explains what was charged for transcripts in folders, and predicts their second halves', async () => {
  const totals: Record<string, string>[] = []
  const parts: Record<string, string>[] = []
  const bands: Record<string, string>[] = []
  const clearings: Record<string, string>[] = []
  const clearingErrors: number[] = []
  const halves: (HeldOutHalf & { readonly band: Band })[] = []
  const misses = new Map<string, ObservedMisses[]>()
  for (const folder of foldersOf(process.env.FOLDERS?.split(','))) {
    for (const { file, text } of transcriptsIn(folder)) {
      const measure = await measureText(text)
      if (measure === undefined) continue
      const { charge, plainCost, calibratedCost, heldOutCost, heldOutTokens, provider } = measure
      totals.push({
        file,
        requests: number(charge.requests),
        input: number(charge.inputTokens),
        read: number(charge.readTokens),
        written: number(charge.writtenTokens),
        output: number(charge.outputTokens),
        charged: money(charge.inputCost),
        'plain replay': money(plainCost),
        calibrated: money(calibratedCost),
        'predicted: cost': share(heldOutCost),
        tokens: share(heldOutTokens),
      })
      misses.set(provider ?? 'none', [...(misses.get(provider ?? 'none') ?? []), measure.misses])
      for (const [at, half] of measure.halves.entries()) {
        const band = bandOf(half.draws)
        halves.push({ ...half, band })
        const { low, middle, high } = band
        bands.push({
          file,
          session: number(at + 1),
          inside: half.charged >= low && half.charged <= high ? 'yes' : 'no',
          charged: money(half.charged),
          predicted: money(half.predicted),
          from: money(low),
          middle: money(middle),
          to: money(high),
        })
      }
      for (const step of measure.clearings) {
        clearingErrors.push(Math.abs(step.predicted / step.charged - 1))
        clearings.push({
          file,
          request: number(step.request),
          tokens: number(step.chargedTokens),
          read: number(step.chargedRead),
          charged: money(step.charged),
          'predicted: tokens': number(step.predictedTokens),
          'predicted: read': number(step.predictedRead),
          predicted: money(step.predicted),
          error: share(step.predicted / step.charged),
        })
      }
      if (plainCost === undefined) continue
      const causes = CHARGE_PARTS.map((part) => [
        part === 'hour_writes' ? 'one-hour writes' : part,
        signed(measure.parts[part]),
      ])
      const charged = money(charge.inputCost)
      parts.push({ file, 'plain replay': money(plainCost), ...Object.fromEntries(causes), charged })
    }
  }
  console.log(`${[totals, parts, bands, clearings].map(markdownTable).join('\n\n')}\n`)

  const inside = halves.filter(({ charged, band }) => charged >= band.low && charged <= band.high)
  const middles = halves.map(({ charged, band }) => band.middle / charged)
  const tokens = halves.map((half) => half.predictedTokens / half.chargedTokens)
  console.log(
    `${number(halves.length)} second halves; inside the band: ${((100 * inside.length) / halves.length).toFixed(1)} %; ` +
      `median of the middle over the charge: ${median(middles).toFixed(3)}; of the tokens: ${median(tokens).toFixed(3)}.\n`,
  )
  const error = clearings.length === 0 ? '–' : (100 * median(clearingErrors)).toFixed(1)
  console.log(
    `${number(clearings.length)} requests after a clearing; median error of the price: ${error} %.\n`,
  )
  if (halves.length >= FEWEST_HALVES) {
    expect(inside.length / halves.length).toBeGreaterThan(0.75)
    expect(Math.abs(median(middles) - 1)).toBeLessThan(0.1)
    expect(Math.abs(median(tokens) - 1)).toBeLessThan(0.05)
  }
  // What `lib/core/replay/misses/miss-rates.json` has.
  for (const [provider, all] of misses) console.log(provider, JSON.stringify(addUp(all)))
  const errors = halves
    .filter((half) => half.misses === 0)
    .map(({ charged, predicted }) => charged / predicted)
    .sort((a, b) => a - b)
  const at = (share: number) => errors[Math.floor(share * errors.length)]?.toFixed(3)
  console.log('countingErrors', Array.from({ length: 20 }, (_, n) => at((n + 0.5) / 20)).join(', '))
}, 1_800_000)
