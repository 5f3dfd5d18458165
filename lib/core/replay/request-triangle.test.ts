import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../policy/policy'
import { requestTriangle } from './request-triangle'
import { preparedOf } from './testing/expect-as-replayed'
import { toolTurns } from './testing/tool-turns'

const policy = { ...DEFAULT_POLICY, enabled: true }
const prepared = preparedOf(toolTurns(6), policy)

/** The rows as letters: s is sent, m masked, a again. */
function rowsOf(batchTurns: number, most = 100): string[] {
  const { rows, runs } = requestTriangle(prepared, { windowTurns: 2, batchTurns }, most)
  return Array.from({ length: rows }, (_, at) =>
    runs
      .filter(({ row }) => row === at)
      .map(({ kind, from, to }) => (kind[0] as string).repeat(to - from))
      .join(''),
  )
}

test('what stands behind a result that is masked is paid for again', () => {
  expect(rowsOf(1)).toEqual(['s', 'ss', 'mas', 'mmas', 'mmmas', 'mmmmas'])
  expect(rowsOf(2)).toEqual(['s', 'ss', 'sss', 'mmas', 'mmsss', 'mmmmas'])
})

test('a square of a longer session stands for several', () => {
  expect(rowsOf(2, 4)).toEqual(['s', 'ma', 'mma'])
})

test('the tokens paid again are those of the results', () => {
  const { counts } = prepared.session
  const { tokensAgain } = requestTriangle(prepared, { windowTurns: 2, batchTurns: 1 }, 100)
  const again = [1, 2, 3, 4].map((result) => counts.results[result] as number)
  expect(tokensAgain).toBe(again.reduce((sum, tokens) => sum + tokens))
})
