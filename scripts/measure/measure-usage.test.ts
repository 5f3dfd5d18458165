import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { termsFromFlags } from '../../lib/cli/cost-flags'
import { parseFlags } from '../../lib/cli/flags'
import { readDocument } from '../../lib/core/formats/read-document'
import { median } from '../../lib/core/replay/calibration/readable-head'
import { CHARGE_PARTS } from '../../lib/core/replay/charged/explain-charges'
import { bandOf } from '../../lib/core/replay/misses/cost-band'
import {
  CORPUS_FILES,
  CORPUS_FOLDER,
  HAS_CORPUS,
  readTranscript,
} from '../../lib/core/testing/transcripts'
import { loadEncoding } from '../../lib/core/tokens/encoding'
import { modelOfDocument } from '../../lib/core/tokens/model-families'
import { measureUsage, tableOf, type UsageMeasure } from './testing/measure-usage'

if (!HAS_CORPUS) {
  test.skip(`usage of published transcripts: there is no ${CORPUS_FOLDER}`, () => {})
}

test('misses are counted by kind and pause', () => {
  const table = tableOf([
    { kind: 'tool_result', pause: 0, isMiss: true },
    { kind: 'tool_result', pause: 1, isMiss: false },
    { kind: 'new_prompt', pause: 3, isMiss: true },
  ])
  expect(table.tool_result.slice(0, 2)).toEqual([
    [1, 1],
    [1, 0],
  ])
  expect(table.new_prompt[3]).toEqual([1, 1])
})

const NAMES = [
  'anthropic-messages/cline-session.json',
  'claude-code/session-long.jsonl',
  'claude-code/session-orphan-result.jsonl',
  'gemini/gemini-cli-session.json',
]

describe.skipIf(!HAS_CORPUS)('published transcripts', { timeout: 60_000 }, () => {
  const measured = async (texts: readonly string[]): Promise<readonly UsageMeasure[]> => {
    const { countTokens } = await loadEncoding('o200k_base')
    const termsOf = await termsFromFlags(parseFlags([], []))
    return texts.flatMap((text) => {
      const { conversations } = readDocument(text)
      return measureUsage(conversations, termsOf(modelOfDocument(conversations)), countTokens) ?? []
    })
  }

  test('have the request after a clearing, predicted from those before it', async () => {
    const report = join(CORPUS_FOLDER, '..', 'reports', 'history', 'microcompact.jsonl')
    const [{ clearings } = { clearings: [] }] = await measured([readFileSync(report, 'utf8')])
    expect(clearings).toMatchObject([{ request: 11, chargedTokens: 27_003 }])
    const [{ predictedTokens, chargedTokens } = { predictedTokens: 0, chargedTokens: 1 }] =
      clearings
    expect(Math.abs(predictedTokens / chargedTokens - 1)).toBeLessThan(0.15)
  })

  test('are predicted from their first half, and their differences add up', async () => {
    const files = NAMES.flatMap((name) => CORPUS_FILES.find((one) => one.name === name) ?? [])
    const all = await measured(files.map(readTranscript))
    expect(all).toHaveLength(NAMES.length)
    const [, long, orphan] = all
    expect(long?.charge.inputCost).toBeCloseTo(15.95, 2)
    expect(orphan?.charge.inputCost).toBeCloseTo(2.11, 2)
    for (const { plainCost = Number.NaN, charge, parts } of all) {
      const sum = CHARGE_PARTS.reduce((total, part) => total + parts[part], plainCost)
      expect(sum).toBeCloseTo(charge.inputCost ?? Number.NaN, 9)
    }
    const halves = all.flatMap((one) => one.halves)
    const inside = halves.filter(({ charged, draws }) => {
      const { low, high } = bandOf(draws)
      return charged >= low && charged <= high
    })
    // Gemini's implicit cache reads less than the shared start.
    expect([halves.length, inside.length]).toEqual([6, 5])
    const errors = all.map(({ heldOutCost = Number.NaN }) => Math.abs(heldOutCost - 1))
    // Claude Code within a few percent; the median of the files within a tenth.
    expect(Math.max(errors[1] as number, errors[2] as number)).toBeLessThan(0.05)
    expect(median(errors)).toBeLessThan(0.1)
    const tokenErrors = all.map(({ heldOutTokens = Number.NaN }) => Math.abs(heldOutTokens - 1))
    expect(Math.max(...tokenErrors)).toBeLessThan(0.05)
  })
})
