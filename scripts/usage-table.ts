/**
 * Writes the table of `docs/costs.md`: what was charged for the transcripts in folders, and what the replay says.
 * `npm run usage-table -- FOLDERS`, by default `../shared/corpus` and `../shared/more-formats`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { termsFromFlags } from '../lib/cli/cost-flags'
import { measureUsage, type UsageMeasure } from '../lib/cli/measure-usage'
import { readDocument } from '../lib/core/formats/read-document'
import { CHARGE_PARTS } from '../lib/core/replay/charged/explain-charges'
import { ENGLISH_FORMAT } from '../lib/core/report/figure-format'
import { loadEncoding } from '../lib/core/tokens/encoding'
import { familyOfModel, modelOfDocument, OTHER_MODELS } from '../lib/core/tokens/model-families'
import { writeSection } from './benchmark/write-section.mjs'

const named = process.argv.slice(2)
const folders = named.length > 0 ? named : ['../shared/corpus', '../shared/more-formats']
const termsOf = await termsFromFlags({ values: new Map(), positionals: [] })
const { number, money } = ENGLISH_FORMAT
const rows: { readonly file: string; readonly measure: UsageMeasure }[] = []

const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((file) => [folder, file] as const),
)
for (const [folder, file] of files) {
  if (!/\.(jsonl?|traj)$/.test(file)) continue
  try {
    const { conversations } = readDocument(readFileSync(join(folder, file), 'utf8'))
    const model = modelOfDocument(conversations)
    const encoding = await loadEncoding((familyOfModel(model) ?? OTHER_MODELS).encoding)
    const measure = measureUsage(conversations, termsOf(model), encoding.countTokens)
    if (measure !== undefined) rows.push({ file, measure })
  } catch {
    // Not a transcript.
  }
}

const share = (part: number | undefined) =>
  part === undefined ? '–' : `${((part - 1) * 100).toFixed(1).replace('-', '−')} %`
const table = (heads: readonly string[], lines: readonly (readonly string[])[]) =>
  [heads, heads.map((_, at) => (at === 0 ? '---' : '---:')), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')

const tokens = table(
  [
    'file',
    'requests',
    'input',
    'read',
    'written',
    'output',
    'charged',
    'plain replay',
    'calibrated',
    'predicted: cost',
    'tokens',
  ],
  rows.map(
    ({ file, measure: { charge, plainCost, calibratedCost, heldOutCost, heldOutTokens } }) => [
      file,
      number(charge.requests),
      number(charge.inputTokens),
      number(charge.readTokens),
      number(charge.writtenTokens),
      number(charge.outputTokens),
      money(charge.inputCost),
      money(plainCost),
      money(calibratedCost),
      share(heldOutCost),
      share(heldOutTokens),
    ],
  ),
)
const parts = table(
  [
    'file',
    'plain replay',
    'head',
    'counting',
    'one-hour writes',
    'expiry',
    'model',
    'compaction',
    'misses',
    'rest',
    'charged',
  ],
  rows
    .filter(({ measure }) => measure.plainCost !== undefined)
    .map(({ file, measure }) => [
      file,
      money(measure.plainCost),
      ...CHARGE_PARTS.map((part) => {
        const value = measure.parts[part]
        return `${value < 0 ? '−' : ''}${money(Math.abs(value))}`
      }),
      money(measure.charge.inputCost),
    ]),
)
writeSection('usage', `${tokens}\n\n${parts}`, 'docs/costs.md')
