import { expect, test } from 'vitest'
import { MECHANISMS } from '../core/mechanisms/mechanisms'
import { turnOf } from '../core/testing/conversation-of'
import { benchCommand } from './bench-command'
import { maskCommand } from './mask-command'
import { commandFolder } from './testing/command-folder'

const TURNS = Array.from({ length: 8 }, (_, turn) => turnOf(`c${turn}`, `${turn} `.repeat(200)))
const CHAT = JSON.stringify({
  model: 'gpt-5.1',
  messages: [{ role: 'user', content: 'go' }, ...TURNS.flat(), { role: 'user', content: 'on' }],
})
const bench = commandFolder(benchCommand, CHAT)
const mask = commandFolder(maskCommand, CHAT)

const sentBy = async (flags: string) => JSON.parse((await mask.run(`- ${flags}`)).output)

test('all mechanisms are compared, each by default and at its cheapest', async () => {
  const { json } = await bench.run('- --mechanisms --json --window-turns 2')
  expect(json.mechanisms.map(({ id }: { id: string }) => id)).toEqual(
    MECHANISMS.map(({ id }) => id),
  )
  for (const one of json.mechanisms) {
    expect(one.best.session_cost_cached).toBeLessThanOrEqual(one.session_cost_cached)
    const { low, high } = one.session_cost_cached_band
    expect([low <= high, one.peak_tokens <= json.session_peak_tokens_before]).toEqual([true, true])
    expect(Object.keys(one.best_settings)).toEqual(Object.keys(one.settings))
  }
  const { json: own } = await bench.run('- --json --window-turns 2')
  const [schema1] = json.mechanisms
  expect(schema1).toMatchObject({
    session_tokens: own.session_tokens_after,
    session_cost_cached: own.session_cost_cached_after,
    session_cost_cached_band: {
      low: own.session_cost_cached_band.after_low,
      high: own.session_cost_cached_band.after_high,
    },
    lost_uses: own.lost_uses,
  })
  expect(json.session_cost_cached_before).toBe(own.session_cost_cached_before)
  const { output } = await bench.run('- --mechanisms')
  for (const { label } of MECHANISMS) expect(output).toContain(label)
})

test('one mechanism has the settings of the command line', async () => {
  const chosen = '--mechanism swe-agent-last-n --set n=2 --set polling=3'
  const { json } = await bench.run(`- --json ${chosen}`)
  expect(json.mechanisms).toMatchObject([{ settings: { n: 2, polling: 3 } }])
  const sent = await sentBy(chosen)
  const results = sent.messages.filter(({ role }: { role: string }) => role === 'tool')
  // Nine observations with the task: six of them are old at most, and the task always stays.
  const cleared = results.filter(({ content }: { content: string }) => content.startsWith('Old'))
  expect([results.length, cleared.length]).toEqual([8, 6])
})

test('the last request has a summary, or no calls, where the mechanism says so', async () => {
  const summarised = await sentBy('--mechanism summary --set every_turns=2 --set recent_turns=2')
  expect(summarised.messages.map(({ role }: { role: string }) => role)).toEqual([
    'user',
    'user',
    'assistant',
    'tool',
    'assistant',
    'tool',
    'user',
  ])
  expect(summarised.messages[1].content).toBe('[A summary of 504 tokens]')
  const pruned = await sentBy('--mechanism ai-sdk-prune-messages --set toolCalls=all')
  expect(pruned.messages).toEqual([
    { role: 'user', content: 'go' },
    { role: 'user', content: 'on' },
  ])
})

test.each([
  [
    '--mechanism opencode-prune --set PRUNE_PROTECTED_TOOLS=a,,b',
    '--set PRUNE_PROTECTED_TOOLS is "a,,b"; expected a list of tool names.',
  ],
  ['--mechanism x', /^There is no mechanism "x"; expected schema1, /],
  ['--set n=1', '--set needs --mechanism.'],
  [
    '--mechanism swe-agent-last-n --set m=1',
    /^--set "m=1" is no setting of swe-agent-last-n; expected n=5, polling=1\.$/,
  ],
  [
    '--mechanism swe-agent-last-n --set n=0',
    '--set n is "0"; expected a whole number from 1 to 1000000000.',
  ],
  ['--mechanism opencode-prune --set prune=yes', '--set prune is "yes"; expected true or false.'],
  [
    '--mechanism ai-sdk-prune-messages --set emptyMessages=no',
    '--set emptyMessages is "no"; expected one of keep, remove.',
  ],
])('%s is refused', async (flags, sentence) => {
  const { status, errors } = await bench.run(`- ${flags}`)
  expect([status, errors]).toEqual([2, [expect.stringMatching(sentence)]])
})
