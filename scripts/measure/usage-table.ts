/**
 * Prints the tables of `docs/costs.md`: what was charged for the transcripts in folders, and what the replay says.
 * `npm run usage-table -- FOLDERS`, by default `../shared/corpus` and `../shared/more-formats`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { termsFromFlags } from '../../lib/cli/cost-flags'
import { measureUsage, type UsageMeasure } from '../../lib/cli/measure-usage'
import { parseFlags } from '../../lib/cli/parse-flags'
import { readDocument } from '../../lib/core/formats/read-document'
import { CHARGE_PARTS } from '../../lib/core/replay/charged/explain-charges'
import { ENGLISH_FORMAT } from '../../lib/core/report/figure-format'
import { loadEncoding } from '../../lib/core/tokens/encoding'
import { familyOfModel, modelOfDocument, OTHER_MODELS } from '../../lib/core/tokens/model-families'
import { markdownTable } from './compare'

const named = process.argv.slice(2)
const folders = named.length > 0 ? named : ['../shared/corpus', '../shared/more-formats']
const termsOf = await termsFromFlags(parseFlags([], []))
const { number, money } = ENGLISH_FORMAT

async function measureFile(path: string): Promise<UsageMeasure | undefined> {
  try {
    const { conversations } = readDocument(readFileSync(path, 'utf8'))
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

const totals: Record<string, string>[] = []
const parts: Record<string, string>[] = []
for (const folder of folders) {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const measure = /\.(jsonl?|traj)$/.test(file) && (await measureFile(join(folder, file)))
    if (!measure) continue
    const { charge, plainCost, calibratedCost, heldOutCost, heldOutTokens } = measure
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
    if (plainCost === undefined) continue
    const causes = CHARGE_PARTS.map((part) => [
      part === 'hour_writes' ? 'one-hour writes' : part,
      signed(measure.parts[part]),
    ])
    const charged = money(charge.inputCost)
    parts.push({ file, 'plain replay': money(plainCost), ...Object.fromEntries(causes), charged })
  }
}
console.log(`${markdownTable(totals)}\n\n${markdownTable(parts)}`)
