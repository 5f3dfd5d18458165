import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { turnOf } from '../core/testing/conversation-of'
import { IS_LARGE } from '../core/testing/test-size'
import { benchCommand } from './bench-command'
import { commandFolder } from './testing/command-folder'

const JOBS = 8
const { folder, put, run } = commandFolder(benchCommand, () =>
  readFileSync(join(folder, 'all.jsonl'), 'utf8'),
)

/** A session of 3 to 21 turns whose answer repeats what an early result said. */
function session(at: number): string {
  const turns = Array.from({ length: 3 + ((at * 7) % 19) }, (_, turn) =>
    turnOf(
      `call_${turn}`,
      `value_${at}_${turn} ${`${turn * at} rows. `.repeat((at + turn * 31) % 90)}`,
    ),
  )
  const answer = { role: 'assistant', content: `It is value_${at}_1 after all.` }
  return JSON.stringify([{ role: 'user', content: 'begin' }, ...turns.flat(), answer])
}

/** Writes so many sessions into a folder for each job, and returns the folders. */
function writeSessions(name: string, count: number): string[] {
  const folders = Array.from({ length: JOBS }, (_, job) => join(name, `part-${job}`))
  for (let at = 0; at < count; at++)
    put(join(folders[at % JOBS] as string, `${at}.json`), session(at))
  return folders
}

/** Without a cache, a window is worth it. */
const TERMS = '--cache-rule none'
const ADVICE = '--smallest-window 3 --json'

/** The lines in an order that a fixed rule mixes. */
function shuffled(lines: readonly string[]): string[] {
  return lines.toSorted((one, other) => one.slice(700, 760).localeCompare(other.slice(700, 760)))
}

const folders = writeSessions('small', 24)
const parts = await Promise.all(
  folders.map(async (part) => (await run(`${part} --jsonl ${TERMS}`)).output),
)
const lines = parts.flatMap((part) => part.trimEnd().split('\n'))
put('all.jsonl', `${shuffled(lines).join('\n')}\n`)
put('again.jsonl', parts[3] as string)
const { output: whole } = await run(`--recommend ${TERMS} ${ADVICE}`, ...folders)

describe('sessions that are measured in parts', { timeout: 60_000 }, () => {
  test('add up to the figures of one run, digit for digit, and a repeated part changes nothing', async () => {
    expect(JSON.parse(whole)).toMatchObject({ sessions: 24, recommended: { state: 'mask' } })
    expect(await run(`all.jsonl --merge ${ADVICE}`)).toMatchObject({
      output: whole,
      errors: [],
    })
    expect(await run(`again.jsonl - --merge ${ADVICE}`)).toMatchObject({
      output: whole,
      errors: ['Lines that repeat a session: 3. Each session counts once.'],
    })
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
    const { output: unknown, errors } = await run(
      `${folders[0]} --recommend --model gpt-9-imagined`,
    )
    expect(unknown).toMatch(/^0 sessions, 0 requests\n3 sessions left out: a price is unknown\n/)
    expect(errors[0]).toMatch(/^No price is known for gpt-9-imagined/)
  })

  const [first = ''] = lines
  const changed = (from: string | RegExp, to: string) => `${first}\n${first.replace(from, to)}\n`
  test.each([
    ['not JSON', `${first}\n{"version":1,\n`, 'bad.jsonl, line 2: this is not JSON ('],
    [
      'another version',
      changed('"version":1', '"version":9'),
      'bad.jsonl, line 2: version is 9; expected 1.',
    ],
    [
      'a wrong type',
      changed(/"turns":\d+/, '"turns":"3"'),
      'bad.jsonl, line 2: session.turns is "3"; expected number.',
    ],
    [
      'other settings',
      changed('"neverGrow":false', '"neverGrow":true'),
      'bad.jsonl, line 2 was measured with other settings than bad.jsonl, line 1: found',
    ],
    [
      'other figures',
      changed('"fresh":1.25', '"fresh":1.5'),
      'bad.jsonl, line 2 and bad.jsonl, line 1 have other figures for the same session (',
    ],
  ])('refuse a line with %s, and say where', async (_, text, sentence) => {
    put('bad.jsonl', text)
    const { status, output, errors } = await run('bad.jsonl --merge')
    expect([status, output]).toEqual([2, ''])
    expect(errors[0]).toContain(sentence)
  })

  test('need files that exist', async () => {
    const { status, errors } = await run('--merge')
    expect([status, errors[0]]).toEqual([2, expect.stringMatching(/^Which files\?/)])
    const of = async (name: string) => (await run(`${name} --merge`)).errors
    expect(await of('none.jsonl')).toEqual(['There is no file none.jsonl.'])
    expect(await of('small')).toEqual(['small cannot be read (EISDIR).'])
  })
})

const parallel = spawnSync('parallel', ['--version'], { encoding: 'utf8' })
const missing = !IS_LARGE
  ? 'TEST_SIZE=large runs it'
  : parallel.stdout?.startsWith('GNU parallel')
    ? undefined
    : 'GNU parallel is not installed'

/** Runs one part; the first run of one part is killed while it writes. */
const JOB = `
set -e
out=lines/$(basename "$1").$$.jsonl
$BENCH "$1" --jsonl --cache-rule none > "$out"
if [ "$1" = large/part-3 ] && mkdir killed 2> /dev/null; then
  half=$(($(wc -c < "$out") / 2))
  truncate -s "$half" "$out"
  kill -9 $$
fi
`

test.skipIf(missing !== undefined)(
  `1,000 sessions in 8 jobs of GNU parallel, one killed and repeated, have the figures of one run${missing === undefined ? '' : ` (${missing})`}`,
  async () => {
    const folders = writeSessions('large', 1000)
    mkdirSync(join(folder, 'lines'))
    put('job.sh', JOB)
    const main = fileURLToPath(new URL('../../scripts/run.mjs', import.meta.url))
    const ran = spawnSync(
      'parallel',
      ['--jobs', '8', '--retries', '2', 'sh', 'job.sh', ':::', ...folders],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, INIT_CWD: folder, BENCH: `node ${main} lib/cli/main.ts bench` },
      },
    )
    expect(ran.stderr).toBe('')
    expect(ran.status).toBe(0)
    const files = readdirSync(join(folder, 'lines'))
    expect(files).toHaveLength(JOBS + 1)
    const texts = files.map((file) => readFileSync(join(folder, 'lines', file), 'utf8'))
    const lines = texts.flatMap((text) => text.split('\n').slice(0, -1))
    expect(lines.length).toBeGreaterThan(1000)
    put('shuffled.jsonl', `${shuffled(lines).join('\n')}\n`)
    const { output: whole } = await run(`--recommend ${TERMS} ${ADVICE}`, ...folders)
    expect(JSON.parse(whole)).toMatchObject({ sessions: 1000 })
    expect((await run(`shuffled.jsonl --merge ${ADVICE}`)).output).toBe(whole)
    const names = files.map((file) => join('lines', file))
    const { output, errors } = await run(`--merge ${ADVICE}`, ...names)
    expect(output).toBe(whole)
    expect(errors.join('\n')).toMatch(/is cut off and was left out; repeat the job/)
  },
  600_000,
)
