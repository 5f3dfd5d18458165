import { describe, expect, test } from 'vitest'
import { POLICY_FIELDS } from '../core/policy/policy'
import { maskCommand } from './mask-command'
import { commandFolder, TEXT } from './testing/command-folder'

const { put, run } = commandFolder(maskCommand, TEXT)
put('chat.json', TEXT)

describe('mask', () => {
  test('prints the masked document; masking is on by default', async () => {
    const { status, output, errors } = await run(
      'chat.json --window-turns 1 --placeholder-template [{tool_call_id}]',
    )
    expect([status, errors]).toEqual([0, []])
    expect(output).toBe(TEXT.replace('"old 😀"', '"[a]"'))
    expect((await run('chat.json --window-turns=1 --no-enabled')).output).toBe(TEXT)
  })

  test('says that calls reuse ids, unless results are linked to the nearest call', async () => {
    const call = { id: 'a', function: { name: 'read', arguments: '{}' } }
    const round = [
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'a', content: 'x' },
    ]
    put('reused.json', JSON.stringify([{ role: 'user', content: 'go' }, ...round, ...round]))
    const { errors } = await run('reused.json')
    expect(errors).toEqual([expect.stringMatching(/^reused\.json: 1 result.*--nearest-call/)])
    expect((await run('reused.json --nearest-call')).errors).toEqual([])
  })

  test('names the optional error rules that would keep what it masks', async () => {
    const round = (id: string, content: string) => [
      { role: 'assistant', tool_calls: [{ id, function: { name: 'run', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: id, content },
    ]
    const texts = ['Exit code: 1', '{"success": false}', 'done', 'exited with 2']
    const runs = JSON.stringify(texts.flatMap((text, at) => round(`${at}`, text)))
    put('runs.json', runs)
    put('sessions.jsonl', `{"messages":${runs}}\n{"messages":${runs}}\n`)
    expect((await run('sessions.jsonl --window-turns 1')).errors).toEqual([
      expect.stringMatching(/4 masked results look .* \(exit_code, json_failure\)/),
    ])
    const [sentence = '', ...others] = (await run('runs.json --window-turns 1')).errors
    expect([others, sentence]).toEqual([
      [],
      expect.stringMatching(/2 masked results look .* \(exit_code, json_failure\); --error-rules /),
    ])
    const flags = /--error-rules \S+/.exec(sentence)?.[0]
    const kept = await run(`runs.json --window-turns 1 --placeholder-template [] ${flags}`)
    expect(kept.errors).toEqual([])
    const contents = JSON.parse(kept.output).map(({ content }: { content: string }) => content)
    expect(contents.filter((text: unknown) => typeof text === 'string')).toEqual([
      ...[texts[0], texts[1], '[]', texts[3]],
    ])
    expect((await run('runs.json --window-turns 1 --no-keep-errors')).errors).toEqual([])
  })

  test('writes chat completions with --as, and lists what they cannot contain', async () => {
    const image = { inlineData: { mimeType: 'image/png', data: 'AA' } }
    const gemini = (id: string) => [
      { role: 'user', parts: [{ text: 'go' }, image] },
      { role: 'model', parts: [{ functionCall: { id, name: 'read', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { id, name: 'read', response: { out: id } } }] },
    ]
    put('gemini.json', JSON.stringify([...gemini('a'), ...gemini('b')]))
    const one = await run(
      'gemini.json --as openai-chat --window-turns 1 --placeholder-template [{tool_call_id}]',
    )
    expect(one.status).toBe(0)
    expect(one.errors).toEqual([
      'gemini.json: 2 parts that are not text (images, files) are left out.',
    ])
    const results = JSON.parse(one.output).messages.filter(
      ({ role }: { role: string }) => role === 'tool',
    )
    expect(results.map(({ content }: { content: string }) => content)).toEqual(['[a]', 'b'])

    put('two.json', JSON.stringify([{ contents: gemini('a') }, { contents: gemini('b') }]))
    const two = await run('two.json --as openai-chat')
    expect(two.output.trimEnd().split('\n')).toHaveLength(2)

    expect((await run('gemini.json --as gemini')).errors).toEqual([
      '--as gemini is not written; expected --as openai-chat.',
    ])
    expect((await run('gemini.json --as openai-chat --decisions')).status).toBe(2)
  })

  test('has a flag for every setting and uses the last of repeated flags', async () => {
    const { output } = await run('--help')
    for (const { toml } of POLICY_FIELDS) expect(output).toContain(`--${toml.replaceAll('_', '-')}`)
    const twice = await run('chat.json --window-turns 9 --window-turns 1 --no-keep-errors')
    expect(twice.output.match(/Observation/g)).toHaveLength(2)
  })

  test('prints a decision for each result with --decisions', async () => {
    const { output } = await run(
      'chat.json --decisions --window-turns 1 --placeholder-template four',
    )
    const decided = [
      { action: 'mask', reason: 'masked', chars_before: 5, chars_after: 4 },
      { action: 'keep', reason: 'kept_error', chars_before: 9, chars_after: 9 },
      { action: 'keep', reason: 'in_window', chars_before: 3, chars_after: 3 },
    ]
    expect(JSON.parse(output)).toEqual(
      decided.map((rest, at) => {
        const place = { conversation: 0, message: 2 * at + 1, turn: at + 1 }
        return { ...place, tool_call_id: 'abc'[at], tool: 'read', ...rest }
      }),
    )
  })

  test('reads the policy of a config; flags override it', async () => {
    const settings = 'window_turns = 1\nplaceholder_template = "[gone]"\n'
    put('policy.toml', `[observation_masking.schema1]\n${settings}`)
    const masked = TEXT.replace('"old 😀"', '"[gone]"')
    expect((await run('chat.json --config policy.toml')).output).toBe(masked)
    expect((await run('chat.json --config policy.toml --window-turns 3')).output).toBe(TEXT)
    put('off.toml', `[observation_masking.schema1]\nenabled = false\n${settings}`)
    const off = await run('chat.json --config off.toml')
    expect(off.output).toBe(TEXT)
    expect(off.errors).toEqual([
      'off.toml has enabled = false, so nothing is masked; --enabled masks all the same.',
    ])
    expect((await run('chat.json --config off.toml --enabled')).output).toBe(masked)
  })

  test('counts tokens if a setting needs them', async () => {
    const line = 'chat.json --window-turns 1 --placeholder-template <{original_tokens}>'
    expect((await run(line)).output).toContain('"<2>"')
    expect((await run(`${line} --never-grow --no-keep-errors`)).output).toBe(TEXT)
    expect((await run(`${line} --trigger-tokens 100000`)).output).toBe(TEXT)
    expect((await run(`${line} --model gpt-4`)).status).toBe(0)
  })
})
