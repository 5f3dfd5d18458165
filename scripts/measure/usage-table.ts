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

const totals: string[][] = []
const parts: string[][] = []
for (const folder of folders) {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const measure = /\.(jsonl?|traj)$/.test(file)
      ? await measureFile(join(folder, file))
      : undefined
    if (measure === undefined) continue
    const { charge, plainCost, calibratedCost, heldOutCost, heldOutTokens } = measure
    const { requests, inputTokens, readTokens, writtenTokens, outputTokens, inputCost } = charge
    totals.push([
      file,
      ...[requests, inputTokens, readTokens, writtenTokens, outputTokens].map(number),
      ...[inputCost, plainCost, calibratedCost].map((cost) => money(cost)),
      ...[heldOutCost, heldOutTokens].map(share),
    ])
    if (plainCost === undefined) continue
    const causes = CHARGE_PARTS.map((part) => signed(measure.parts[part]))
    parts.push([file, money(plainCost), ...causes, money(inputCost)])
  }
}
console.log(
  markdownTable(
    [
      ...['file', 'requests', 'input', 'read', 'written', 'output', 'charged', 'plain replay'],
      ...['calibrated', 'predicted: cost', 'tokens'],
    ],
    totals,
  ),
)
console.log(
  `\n${markdownTable(
    [
      ...['file', 'plain replay', 'head', 'counting', 'one-hour writes', 'expiry', 'model'],
      ...['compaction', 'misses', 'rest', 'charged'],
    ],
    parts,
  )}`,
)
