/** Arguments from public bug reports, each with its value and the least risk that may be stated. They are not in this repository. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CORPUS_FOLDER } from '../testing/transcripts'
import { repairArguments } from './repair-arguments'
import { riskOf } from './repair-strategies'

const FILE = join(CORPUS_FOLDER, '..', 'reports', 'repair-cases.jsonl')
const LINES = existsSync(FILE) ? readFileSync(FILE, 'utf8').trim().split('\n') : []
const RISKS = ['none', 'guess', 'loss'] as const

if (LINES.length === 0) test.skip(`reported arguments: there is no ${FILE}`, () => {})

test.each(LINES.map((line, at) => [at + 1, line] as const))('reported arguments %i', (_, line) => {
  const { text, expected, risk } = JSON.parse(line)
  const result = repairArguments(text)
  expect(result.state).toBe('repaired')
  if (expected !== null) expect(result.value).toEqual(expected)
  expect(RISKS.slice(RISKS.indexOf(risk))).toContain(riskOf(result))
})
