import { describe, expect, test } from 'vitest'
import { PRICE_DATA } from '../core/replay/price-book'
import { SMALLEST_WINDOW } from '../core/replay/recommend'
import { turnOf } from '../core/testing/conversation-of'
import { benchCommand } from './bench-command'
import { commandFolder } from './testing/command-folder'

/** So many turns of one call each, and the answer: one request more than turns. */
function session(turns: number): string {
  const messages = Array.from({ length: turns }, (_, turn) =>
    turnOf(`call_${turn}`, `line ${turn} `.repeat(300)),
  )
  return JSON.stringify([
    { role: 'user', content: 'begin' },
    ...messages.flat(),
    { role: 'assistant', content: 'done' },
  ])
}

const { put, run } = commandFolder(benchCommand, session(6))
put('two/a.json', session(6))
put('two/b.json', session(12))
put('two/notes.json', '{"no": "transcript"}')
put('two/node_modules/c.json', session(2))

/** A line of Claude Code for each message of a run of one call, of a sub-agent if it has a name. */
function agentLines(agentId?: string): string {
  const id = agentId ?? 'main'
  const ids = { sessionId: 's1', ...(agentId && { agentId, isSidechain: true }) }
  const call = { type: 'tool_use', id, name: 'read', input: {} }
  const result = { type: 'tool_result', tool_use_id: id, content: `the result of ${id}` }
  return [
    { type: 'assistant', ...ids, message: { role: 'assistant', content: [call] } },
    { type: 'user', ...ids, message: { role: 'user', content: [result] } },
    { type: 'assistant', ...ids, message: { role: 'assistant', content: 'done' } },
  ]
    .map((line) => JSON.stringify(line))
    .join('\n')
}
put('projects/one/s1.jsonl', agentLines())
put('projects/one/s1/subagents/agent-a.jsonl', agentLines('a'))
put('projects/one/agent-b.jsonl', agentLines('b'))
put('projects/one/agent-c.jsonl', agentLines('c').replaceAll('s1', 'gone'))

describe('the whole session', { timeout: 30_000 }, () => {
  test('is printed with the model, cache rule and price date', async () => {
    const { json } = await run('- --json --window-turns 1')
    expect(json).toMatchObject({
      model: 'gpt-5',
      cache_rule: 'openai-5',
      price_date: PRICE_DATA.date,
      requests: 7,
    })
    // gpt-5: 1.25 dollars a million in, 10 out.
    expect(json.session_cost_before).toBeCloseTo((json.session_tokens_before * 1.25) / 1e6, 12)
    expect(json.session_cost_after).toBeCloseTo((json.session_tokens_after * 1.25) / 1e6, 12)
    expect(json.session_output_cost_before).toBeCloseTo(json.session_output_tokens / 1e5, 12)
    expect(json.session_tokens_after).toBeLessThan(json.session_tokens_before)
    expect(json.session_cost_cached_before).toBeLessThan(json.session_cost_before)
  })

  test('uses the prices of flags; without a price date if all are given', async () => {
    const own =
      '- --json --price-input 2,5 --price-cached 0 --price-write 2 --price-output 0 --cache-rule'
    const { json } = await run(`${own} prefix`)
    expect(json).toMatchObject({ cache_rule: 'openai-5', price_date: null })
    expect(json.session_cost_before).toBeCloseTo((json.session_tokens_before * 2.5) / 1e6, 12)
    const { json: uncached } = await run(`${own} none`)
    expect(uncached.session_cost_cached_before).toBe(uncached.session_cost_before)
  })

  test('has no costs and a warning if no price is known', async () => {
    const { json, errors } = await run('- --json --model gpt-9-imagined')
    const costs = { session_cost_before: null, session_cost_cached_after: null }
    expect(json).toMatchObject({ ...costs, price_date: null })
    expect(errors[0]).toBe(
      'No price is known for gpt-9-imagined: costs are null; --price-input gives one.',
    )
  })

  test('of Claude has an estimated factor where no usage is stated, said with its source, and a switch', async () => {
    const line = '- --json --model claude-sonnet-4-5'
    const { json, errors } = await run(line)
    expect(json).toMatchObject({ calibrated: false, calibration: null, estimated_slope: 1.15 })
    expect(errors).toEqual([
      'The tokens of claude-sonnet-4-5 are those of o200k_base × 1.15: an estimate (measured on sessions of Claude 4.5 and 4.6); --no-calibrate leaves it out.',
    ])
    const { json: plain, errors: none } = await run(`${line} --no-calibrate`)
    expect(plain.estimated_slope).toBeNull()
    expect(none).toEqual([])
    const [with_, without] = [json.session_tokens_before, plain.session_tokens_before]
    expect(with_ / without).toBeCloseTo(1.15, 3)
    expect(json.tokens_before / plain.tokens_before).toBeCloseTo(1.15, 3)
    // Decisions have our counts.
    expect(json.masked_tool_results).toBe(plain.masked_tool_results)
  })

  test('prints what was charged and what it would have been, where the file states it', async () => {
    const charged = '"role":"assistant","usage":{"prompt_tokens":20000,"completion_tokens":9}'
    put('charged.json', session(12).replaceAll('"role":"assistant"', charged))
    const { output } = await run('charged.json --window-turns 1')
    // 13 requests of 20,000 tokens at 1.25 dollars a million, none of which reads from the cache.
    expect(output).toMatch(
      /\nCharged \$0\.33; with this policy it would have been about \$1\.\d+ \(\+\d+%\)\.\n/,
    )
    const several = (await run('charged.json two/a.json')).output
    expect(several).toContain('\nCharged $0.3250 for 13 requests.\n')
    put('reused.json', session(2).replaceAll('call_1', 'call_0'))
    const reused = [expect.stringMatching(/^reused\.json: 1 result.*--nearest-call/)]
    expect((await run('reused.json')).errors).toEqual(expect.arrayContaining(reused))
  })

  test('is measured for an unknown model that has a price', async () => {
    const { json, errors } = await run('- --json --model ours --price-input 1')
    expect(json).toMatchObject({ model: 'ours', cache_rule: 'none', encoding: 'o200k_base' })
    expect(errors).toEqual([
      'No cache rule is known for ours: costs are without one; --cache-rule names one.',
      'The tokens of ours are counted with o200k_base: an estimate.',
    ])
  })

  test('of a folder has that of its folders; sub-agents count with the session that started them', async () => {
    const { json, errors } = await run('projects --json')
    expect(errors).toEqual([])
    expect(
      json.files.map(({ file, requests }: { file: string; requests: number }) => [file, requests]),
    ).toEqual([
      ['projects/one/agent-c.jsonl', 1],
      ['projects/one/s1.jsonl', 3],
    ])
  })

  test('of several files or a folder has totals; other files are skipped', async () => {
    const { json: named } = await run('two/a.json two/b.json --json')
    const { json: found, errors } = await run('two --json')
    expect(found).toEqual(named)
    expect(errors).toEqual([expect.stringMatching(/^Left out: two\/notes.json: /)])
    const files = [{ file: 'two/a.json' }, { file: 'two/b.json' }]
    expect(found).toMatchObject({ files, requests: 7 + 13 })
    for (const key of ['session_tokens_before', 'session_tokens_after']) {
      expect(found[key]).toBe(found.files[0][key] + found.files[1][key])
    }
    expect((await run('two/notes.json --json')).status).toBe(2)
  })
})

describe('the sweep', { timeout: 30_000 }, () => {
  test('prints every window and batch, and equals the session at each', async () => {
    const { json } = await run('- --sweep --json --batch-turns 3')
    expect(json).toMatchObject({ largest_window: 6, batches: [1, 2, 3, 4, 8, 16, 32] })
    // The page recommends no smaller window either.
    expect(json.smallest_window).toBe(SMALLEST_WINDOW)
    expect(json.points).toHaveLength(6 * 7)
    for (const { window_turns, batch_turns, ...point } of json.points.slice(0, 9)) {
      const line = `- --json --window-turns ${window_turns} --batch-turns ${batch_turns}`
      const { json: one } = await run(line)
      expect(one).toMatchObject({
        session_tokens_before: json.session_tokens_before,
        session_cost_cached_before: json.session_cost_cached_before,
        session_tokens_after: point.session_tokens,
        session_cost_after: point.session_cost,
        session_cost_cached_after: point.session_cost_cached,
      })
    }
  })

  test('recommends a window of those allowed that costs at most 1 % more than the cheapest', async () => {
    put('off.toml', '[observation_masking.schema1]\nenabled = false\n')
    const { json, errors } = await run(
      'two/b.json --sweep --json --config off.toml --smallest-window 3',
    )
    expect(errors[0]).toBe('off.toml has enabled = false; the sweep shows what masking would do.')
    type Point = Readonly<Record<string, number>>
    const worst = (point: Point) => point.session_cost_cached_after_refetch as number
    const allowed = json.points.filter((point: Point) => (point.window_turns as number) >= 3)
    const { state, window_turns, batch_turns } = json.recommended
    expect(state).toBe('mask')
    const chosen = allowed.find(
      (point: Point) => point.window_turns === window_turns && point.batch_turns === batch_turns,
    )
    expect(worst(chosen)).toBeLessThanOrEqual(Math.min(...allowed.map(worst)) * 1.01)
  })

  test('prints a table and a sentence otherwise', async () => {
    const { output } = await run('two --sweep')
    expect(output).toMatch(
      /^(?:.*\n){2}window +batch 1 +batch 2 +batch 4 +batch 8 +batch 16 +batch 32\n/,
    )
    expect(output).toMatch(
      /\n(Recommended on this session, in hindsight: window|Do not mask: ).*\n$/,
    )
  })
})
