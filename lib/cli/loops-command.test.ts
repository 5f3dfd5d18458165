import { describe, expect, test } from 'vitest'
import { turnOf } from '../core/testing/conversation-of'
import { loopsCommand } from './loops-command'
import { commandFolder } from './testing/command-folder'

const turn = (id: string, written: string, timestamp: string, content = 'text') => {
  const [asked, answer] = turnOf(id, content, 'read', written)
  return [{ ...asked, timestamp }, answer]
}
const messages = [
  ...turn('1', '{"path":"a.ts"}', '2026-01-01T00:00:00Z'),
  ...turn('2', "{'path': 'a.ts',}", '2026-01-01T00:00:12Z'),
  ...turn('3', '{"path":"a.ts"}', '2026-01-01T01:00:00Z', 'other text'),
]
const { put, run } = commandFolder(loopsCommand, JSON.stringify({ messages }))
put('chat.json', JSON.stringify({ messages }))
put('once.json', JSON.stringify({ messages: messages.slice(0, 2) }))

describe('loops', () => {
  test('prints what repeats, how far apart it is, and what a guard would have stopped', async () => {
    const { status, output, errors } = await run('chat.json')
    expect([status, errors]).toEqual([0, []])
    expect(output.split('\n')).toEqual([
      'messages: 3 calls, by its times; 1 stopped, 1 token',
      "  turn 2, read {'path': 'a.ts',}: again 1 turn, 12 s after turn 1, same result, 1 token, stopped by ANTI_LOOP_SIGNATURE",
      '  turn 3, read {"path":"a.ts"}: again 1 turn, 59 min 48 s after turn 2, other result, 2 tokens',
      '',
    ])
    expect((await run('-')).output).toBe(output)
  })

  test('prints that nothing was found', async () => {
    expect((await run('once.json')).output).toBe(
      'messages: 1 call, by its times; 0 stopped, 0 tokens\n  no repeated calls\n',
    )
  })

  test('prints all findings as JSON', async () => {
    const { conversations } = (await run('chat.json --json')).json
    const second = { turn: 2, message: 3, tool: 'read' }
    expect(conversations).toMatchObject([
      {
        clock: 'timestamps',
        calls: 3,
        repeats: [
          { ...second, earlier_turn: 1, seconds_apart: 12, same_result: true },
          { turn: 3, earlier_turn: 2, turns_apart: 1, same_result: false },
        ],
        stopped: [{ turn: 2, tool_call_id: '2', guard: 'ANTI_LOOP_SIGNATURE', tokens: 1 }],
      },
    ])
  })

  test('uses the limits of flags, and no guards that are off', async () => {
    const guards = async (flags: string) => {
      const { conversations } = (await run(`chat.json --json ${flags}`)).json
      return conversations[0].stopped.map(({ turn: at }: { turn: number }) => at)
    }
    expect(await guards('--signature-window 12')).toEqual([])
    expect(await guards('--signature-window 3600')).toEqual([2])
    expect(await guards('--signature-window 3601')).toEqual([2, 3])
    expect(await guards('--no-same-call')).toEqual([])
  })

  test.each([
    [[], 'Which file? Name one file, or - for standard input; --help says more.'],
    [['absent.json'], 'There is no file absent.json.'],
    [['chat.json', '--id-window', '0'], '--id-window is "0"; expected a whole number from 1.'],
  ])('of %j says what is wrong', async (args, sentence) => {
    expect(await run(...args)).toMatchObject({ status: 2, output: '', errors: [sentence] })
  })
})
