import { expect, test } from 'vitest'
import { turnOf } from '../core/testing/conversation-of'
import { benchCommand } from './bench-command'
import { commandFolder } from './testing/command-folder'
import { usesCommand } from './uses-command'

const resultAt = (turn: number) =>
  turn === 1 ? `PAY7407366 ${'is open '.repeat(200)}` : 'nothing '.repeat(300)

/** Twelve turns; the last answer names the booking that the second turn read. */
const messages = [
  { role: 'user', content: 'Cancel my booking.' },
  ...Array.from({ length: 12 }, (_, turn) => turnOf(`call_${turn}`, resultAt(turn))).flat(),
  { role: 'assistant', content: 'PAY7407366 is cancelled.' },
]
const { run } = commandFolder(usesCommand, JSON.stringify(messages))
let sent: readonly object[] = messages
const { run: bench } = commandFolder(benchCommand, () => JSON.stringify(sent))

test('uses lists each lost use with both places', async () => {
  expect((await run('- --json')).json).toEqual({
    conversations: [
      {
        label: 'messages',
        later_uses: 1,
        lost_uses: 1,
        results_lost: 1,
        lost: [
          {
            term: 'PAY7407366',
            kind: 'id',
            turns_apart: 11,
            read: { turn: 2, message: 5, tool: 'read', tool_call_id: 'call_1' },
            used: { turn: 13, message: 26, in: 'text', tool: null, tool_call_id: null },
          },
        ],
      },
    ],
  })
  const lines = await run('-')
  expect(lines.output).toBe(
    'messages: 1 later use, 1 lost, of 1 result\n  turn 13 used turn 2, read: PAY7407366\n',
  )
  const kept = await run('- --window-turns 11')
  expect(kept.output).toBe('messages: 1 later use, 0 lost, of 0 results\n')
})

test('bench counts what a provider can reject, by rule', async () => {
  expect((await bench('- --json')).json.history_findings).toEqual({})
  sent = messages.toSpliced(1, 1)
  expect((await bench('- --json')).json.history_findings).toEqual({ orphan: 1 })
  sent = messages
})

test('bench has what fetching it again costs, alone and at every point of the sweep', async () => {
  const { json: one } = await bench('- --json --window-turns 8 --batch-turns 2')
  expect(one).toMatchObject({ later_uses: 1, lost_uses: 1, results_lost: 1 })
  const extra = one.session_cost_cached_after_refetch - one.session_cost_cached_after
  expect(extra).toBeGreaterThan(0)
  const saved = one.session_cost_cached_before - one.session_cost_cached_after
  expect(one.break_even_refetches).toBe(Math.max(0, Math.floor(saved / extra)))
  const { later_uses, points } = (await bench('- --json --sweep')).json
  expect(later_uses).toBe(1)
  const at = (window: number, batch: number) =>
    points.find(
      (point: Record<string, number>) =>
        point.window_turns === window && point.batch_turns === batch,
    )
  expect(at(8, 2)).toMatchObject({
    lost_uses: 1,
    results_lost: 1,
    session_cost_cached_after_refetch: one.session_cost_cached_after_refetch,
    break_even_refetches: one.break_even_refetches,
  })
  expect(at(11, 1)).toMatchObject({ lost_uses: 0, results_lost: 0, break_even_refetches: null })
})
