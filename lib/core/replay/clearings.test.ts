import { expect, test } from 'vitest'
import { measureRequest } from '../mask/measure-request'
import { DEFAULT_POLICY } from '../policy/policy'
import { readSession } from '../testing/test-sessions'
import { prepareReplay } from './prepare-replay'
import { UNKNOWN_PRICES } from './price-sheet'
import { replay } from './replay'
import { sentTokensOf } from './sessions'

const LONG = 'a line of a file '.repeat(40)
const TERMS = {
  prices: UNKNOWN_PRICES,
  rule: { kind: 'prefix', minimumTokens: 0, stepTokens: 1 },
} as const
const lines = (...values: object[]) => values.map((value) => JSON.stringify(value)).join('\n')

const claudeCall = (id: string) => ({
  type: 'assistant',
  message: { id: `m${id}`, role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read' }] },
})
const claudeResult = (id: string) => ({
  type: 'user',
  sessionId: 's',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: LONG }] },
})
const CLAUDE_CODE = lines(
  { type: 'user', sessionId: 's', message: { role: 'user', content: 'go' } },
  ...['a', 'b'].flatMap((id) => [claudeCall(id), claudeResult(id)]),
  {
    type: 'system',
    subtype: 'microcompact_boundary',
    microcompactMetadata: { compactedToolIds: ['a'] },
  },
  ...[claudeCall('c'), claudeResult('c')],
)

const opencode = (callID: string, created: number, compacted?: number) => ({
  info: { role: 'assistant', time: { created } },
  parts: [
    {
      type: 'tool',
      callID,
      tool: 'read',
      state: { status: 'completed', input: {}, output: LONG, time: { compacted } },
    },
  ],
})
const second = (n: number) => 1_700_000_000_000 + n * 1000
const OPENCODE = JSON.stringify([
  { info: { role: 'user', time: { created: second(0) } }, parts: [{ type: 'text', text: 'go' }] },
  opencode('a', second(1), second(5)),
  ...[opencode('b', second(2)), opencode('c', second(9))],
])

test.each([
  ['Claude Code', CLAUDE_CODE],
  ['opencode', OPENCODE],
])('requests after %s cleared a result have a mark in its place', (_, text) => {
  const { session, sources } = readSession(text)
  const { conversation, counts, requests } = session
  const { prefixTokens, clearings } = prepareReplay(session, DEFAULT_POLICY, sources)
  const tokensBefore = sentTokensOf(requests, prefixTokens, clearings)
  const cleared = requests.map(
    ({ end }, at) => Number(prefixTokens[end]) - Number(tokensBefore[at]),
  )
  const saved = Number(counts.results[0]) - 7
  expect(cleared).toEqual([0, 0, saved, saved])
  const { tokens } = measureRequest(conversation, counts, [], [])
  expect(tokens.before).toBe(tokensBefore.at(-1))

  const sidesOf = (windowTurns: number) =>
    replay(session, { ...DEFAULT_POLICY, enabled: true, windowTurns }, sources, TERMS).requests
  expect(sidesOf(9).map(({ before }) => before.tokens)).toEqual(tokensBefore)
  expect(sidesOf(9).map(({ after }) => after.tokens)).toEqual(tokensBefore)
  // The cache is lost from the cleared result on, once.
  expect(sidesOf(9)[2]?.before.split.read).toBeLessThan(Number(tokensBefore[1]) - saved)
  expect(sidesOf(9)[3]?.before.split.read).toBe(tokensBefore[2])
  // What the policy has masked before, the client cannot clear.
  const masked = sidesOf(1).map(({ after, before }) => before.tokens - after.tokens)
  expect(masked[1]).toBe(0)
  expect(masked[2]).toBeLessThan(10)
  expect(masked[3]).toBeGreaterThan(saved / 2)
})
