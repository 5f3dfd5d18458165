import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { turnOf } from '../core/testing/conversation-of'
import { benchCommand } from './bench-command'
import { commandFolder } from './testing/command-folder'

const JOBS = 8
const { folder, put, run } = commandFolder(benchCommand, () =>
  readFileSync(join(folder, 'all.jsonl'), 'utf8'),
)

/** A session of 3 to 21 turns whose answer repeats what an early result said. */
function session(at: number): string {
  const turns = Array.from({ length: 3 + ((at * 7) % 19) }, (_, turn) => {
    const rows = `${turn * at} rows. `.repeat((at + turn * 31) % 90)
    return turnOf(`call_${turn}`, `ledger_${at}_${turn} ${rows}`)
  })
  const answer = { role: 'assistant', content: `It is ledger_${at}_1 after all.` }
  return JSON.stringify([{ role: 'user', content: 'begin' }, ...turns.flat(), answer])
}

/** Without a cache, a window is worth it. */
const TERMS = '--cache-rule none'
const ADVICE = '--smallest-window 3 --json'

const folders = Array.from({ length: JOBS }, (_, job) => `small/part-${job}`)
for (let at = 0; at < 24; at++) put(`${folders[at % JOBS]}/${at}.json`, session(at))
const parts = await Promise.all(
  folders.map(async (part) => (await run(`${part} --jsonl ${TERMS}`)).output),
)
const lines = parts.flatMap((part) => part.trimEnd().split('\n'))
// In an order that a fixed rule mixes.
const mixed = lines.toSorted((one, other) =>
  one.slice(700, 760).localeCompare(other.slice(700, 760)),
)
put('all.jsonl', `${mixed.join('\n')}\n`)
put('again.jsonl', parts[3] as string)
const { output: whole } = await run(`--recommend ${TERMS} ${ADVICE}`, ...folders)

describe('sessions that are measured in parts', { timeout: 60_000 }, () => {
  test('add up to the figures of one run, digit for digit, and a repeated part changes nothing', async () => {
    expect(JSON.parse(whole)).toMatchObject({ sessions: 24, recommended: { state: 'mask' } })
    const once = { output: whole, errors: [] }
    expect(await run(`all.jsonl --merge ${ADVICE}`)).toMatchObject(once)
    const errors = ['Lines that repeat a session: 3. Each session counts once.']
    expect(await run(`again.jsonl - --merge ${ADVICE}`)).toMatchObject({ output: whole, errors })
  })

  test('without a line that is cut off, which a warning names', async () => {
    put('cut.jsonl', (parts[0] as string).slice(0, -400))
    const { output, errors } = await run(`cut.jsonl all.jsonl --merge ${ADVICE}`)
    expect(output).toBe(whole)
    expect(errors[0]).toBe(
      'cut.jsonl, line 3 is cut off and was left out; repeat the job that wrote it.',
    )
  })

  test('print one setting and what it does to the sessions', async () => {
    const { output } = await run('all.jsonl --merge --smallest-window 3')
    expect(output).toMatch(
      /^24 sessions, \d+ requests\n\nRecommended on these sessions, in hindsight: /,
    )
    expect(output).toMatch(/\nsessions that cost more +\d+ +\d+\n/)
    const { output: none } = await run('all.jsonl --merge --smallest-window 30')
    expect(none).toMatch(/\nDo not mask: on these sessions, /)
    const { output: kept } = await run('all.jsonl --merge --smallest-window 3 --keep-uses 97.5')
    expect(kept).toMatch(/ keeps? 97.5 % of the later uses /)
    const { output: unknown, errors } = await run(
      `${folders[0]} --recommend --model gpt-9-imagined`,
    )
    expect(unknown).toMatch(/^0 sessions, 0 requests\n3 sessions left out: a price is unknown\n/)
    expect(errors[0]).toMatch(/^No price is known for gpt-9-imagined/)
  })

  const [first = ''] = lines
  test.each([
    [/.*/, '{"version":1,', ': this is not JSON ('],
    ['"version":1', '"version":9', ': version is 9; expected 1.'],
    [/"turns":\d+/, '"turns":"3"', ': session.turns is "3"; expected number.'],
    [
      '"neverGrow":false',
      '"neverGrow":true',
      ' was measured with other settings than LINE 1: found',
    ],
    ['"fresh":1.25', '"fresh":1.5', ' and LINE 1 have other figures for the same session ('],
  ])('refuse a line in which %s is %s, and say where', async (from, to, sentence) => {
    put('bad.jsonl', `${first}\n${first.replace(from, to)}\n`)
    const { status, output, errors } = await run('bad.jsonl --merge')
    expect([status, output]).toEqual([2, ''])
    expect(errors[0]).toContain(`LINE 2${sentence}`.replaceAll('LINE', 'bad.jsonl, line'))
  })

  test('need files that exist', async () => {
    const { status, errors } = await run('--merge')
    expect([status, errors[0]]).toEqual([2, expect.stringMatching(/^Which files\?/)])
    const of = async (name: string) => (await run(`${name} --merge`)).errors
    expect(await of('none.jsonl')).toEqual(['There is no file none.jsonl.'])
    expect(await of('small')).toEqual(['small cannot be read (EISDIR).'])
  })
})
