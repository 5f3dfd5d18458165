import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { turnOf } from '../core/testing/conversation-of'
import { SAMPLE_FILES } from '../core/testing/transcripts'
import { zipOf } from '../core/testing/zip-of'
import { benchCommand } from './bench-command'
import { measureTable, REQUEST_COLUMNS } from './bench-tables'
import { sumMeasures } from './measure-document'
import { commandFolder } from './testing/command-folder'

/** The recordings the page offers; those in folders are one of them in other words. */
const OFFERED = SAMPLE_FILES.filter(({ name }) => !name.includes('/'))

const tools = [{ type: 'function', function: { name: 'read' } }]
const LINE = JSON.stringify({
  tools,
  messages: [...turnOf('a', 'old '.repeat(100)), ...turnOf('b', 'new')],
})

const { put, run } = commandFolder(benchCommand, `${LINE}\n${LINE}\n`)
const PACKED = 'runs.zip'
const lines = Buffer.from(`${LINE}\n${LINE}\n`)
const packed = await zipOf(
  { name: 'a.jsonl', bytes: lines },
  { name: 'notes.json', bytes: Buffer.from('{"a": 1}') },
  { name: 'b.jsonl.gz', bytes: gzipSync(lines) },
)
put(PACKED, packed)

/** The cells of the rows about samples in docs/operation.md that have so many cells. */
function documentedRows(cells: number): readonly (readonly string[])[] {
  const page = readFileSync(new URL('../../docs/operation.md', import.meta.url), 'utf8')
  const lines = page.split('\n').filter((line) => /^\| [\w-]+\.jsonl? \|/.test(line))
  const rows = lines
    .map((line) => line.slice(2, -2).split(' | '))
    .filter((row) => row.length === cells)
  expect(rows.length).toBeGreaterThan(2)
  return rows
}

describe('bench', () => {
  test('sums what masking does to every conversation of a file', async () => {
    const { json: measure } = await run('- --json --window-turns 1 --placeholder-template gone')
    expect(measure).toMatchObject({
      window_turns: 1,
      encoding: 'o200k_base',
      file: '-',
      conversations: 2,
      messages: 8,
      turns: 4,
      tool_results: 4,
      masked_tool_results: 2,
      tool_chars_before: 2 * (400 + 3),
      tool_chars_after: 2 * (4 + 3),
      // Names and arguments of both calls are sent as well: 4 + 2 characters each.
      request_chars_before: 2 * (403 + 12),
      request_chars_after: 2 * (7 + 12),
    })
    // Both requests are the same, and each has one result of 400 characters that becomes "gone".
    expect(measure.json_bytes_before - measure.json_bytes_after).toBe(2 * (400 - 4))
    const { tokens_before, tokens_after, delta_percent } = measure
    expect(tokens_before).toBeGreaterThan(tokens_after)
    expect(delta_percent).toBeCloseTo(((tokens_after - tokens_before) / tokens_before) * 100, 9)
  })

  test('measures every transcript in an archive and warns about other files', async () => {
    const { json, errors } = await run(`${PACKED} --json --window-turns 1`)
    const { files, tokens_before } = json
    const { json: plain } = await run('- --json --window-turns 1')
    expect(files).toMatchObject([{ file: `${PACKED}/a.jsonl` }, { file: `${PACKED}/b.jsonl` }])
    expect(tokens_before).toBe(2 * plain.tokens_before)
    expect(errors).toEqual([
      expect.stringMatching(/^Left out: .*notes\.json: This is JSON .*but not a transcript/),
    ])
  })

  test('without a file prints an aligned table of the samples of the project', async () => {
    put('named.json', LINE.replace('{', '{"model":"gpt-5-mini",'))
    // One of the two names a model.
    expect((await run('named.json -')).output).toContain(
      '\nWhole session, models, prices and cache rules by file\n',
    )
    const { output: named } = await run('--model gpt-5')
    const [heading, nextRequest = '', wholeSession = '', ...more] = named.trimEnd().split('\n\n')
    expect(heading).toBe('window 8, tokens of o200k_base')
    expect(more).toEqual([
      expect.stringMatching(/^With the misses observed at openai, 90 % of draws: /),
      expect.stringMatching(
        /^Costs \d+ ?% more where saving \d+ ?% was possible .* without losing a later use\.$/,
      ),
    ])
    expect(wholeSession).toMatch(
      /^Whole session, gpt-5, prices of 20\d\d-\d\d-\d\d, cache rule openai-5\n/,
    )
    for (const part of [nextRequest, wholeSession]) {
      const lines = part.split('\n').slice(1)
      expect(new Set(lines.map((line) => line.length)).size).toBe(1)
      expect(lines).toHaveLength(1 + OFFERED.length + (OFFERED.length > 1 ? 1 : 0))
    }
    for (const [name, changed] of documentedRows(3)) {
      const printed = named
        .split('Whole session')[1]
        ?.split('\n')
        .find((row) => row.startsWith(`${name} `))
      expect(printed?.replace('-', '−')).toContain(` ${changed} `)
    }
    for (const [name, turns, results, masked, ...tokens] of documentedRows(7)) {
      const printed = nextRequest.split('\n').find((row) => row.startsWith(`${name} `)) ?? ''
      const cells = printed.replace(' %', '%').replaceAll('-', '−').split(/\s+/)
      expect(cells.slice(1, 4)).toEqual([turns, results, masked])
      expect(cells.slice(-3)).toEqual(tokens.map((cell) => cell.replace(' %', '%')))
    }
  })

  test.each([
    [['a', 'b'], 'There is no file a.'],
    [['--price-input', 'free'], '--price-input is "free"; expected dollars'],
    [['--price-input', '-1'], '--price-input is "-1"; expected dollars'],
    [['--price-input', '1,750'], '--price-input is "1,750"; that is 1750 or 1.75; expected no'],
    [['--cache-rule', 'magic'], '--cache-rule is "magic"; expected one of none, prefix'],
    [['--model', 'nobody-knows'], '--model is "nobody-knows"; expected a model of'],
    [['--sweep', '--smallest-window', '-1'], '--smallest-window is "-1"'],
    [['--decisions'], 'There is no flag --decisions'],
    [['--window-turns', 'x'], '--window-turns is "x"'],
  ])('refuses %j with a sentence', async (args, sentence) => {
    const { status, output, errors } = await run(...args)
    expect([status, output]).toEqual([2, ''])
    expect(errors[0]).toContain(sentence)
  })
})

test('a table of one file has no total, and shows what is unknown as a dash', () => {
  const none = sumMeasures([])
  expect(none.delta_percent).toBeNull()
  expect(measureTable(REQUEST_COLUMNS, [['none.json', none]], none).split('\n')).toHaveLength(3)
  expect(measureTable(REQUEST_COLUMNS, [['none.json', none]], none)).toMatch(/–\n$/)
  const large = { ...none, tokens_before: 1_234_567, tokens_after: 1_300_000, delta_percent: 5.3 }
  const rows = Object.entries({ a: large, b: none })
  expect(measureTable(REQUEST_COLUMNS, rows, large)).toContain('1,234,567  1,300,000  +5.3 %')
})
