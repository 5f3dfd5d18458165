import { describe, expect, test } from 'vitest'
import { repairCommand } from './repair-command'
import { commandFolder } from './testing/command-folder'

const BARE = '{"name": "test" "age": 25}'
const TRANSCRIPT =
  '\ufeff[{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"find","arguments":"{\\"q\\": 1,}"}}]},\r\n{"role":"tool","tool_call_id":"a","content":"x"}]'
const { put, run } = commandFolder(repairCommand, BARE)
put('chat.json', TRANSCRIPT)
put('valid.json', ' {"a":1.0}\r\n')
put('hopeless.txt', '}{')

describe('repair', () => {
  test('prints a transcript that differs in the arguments only', async () => {
    const { status, output, errors } = await run('chat.json')
    expect([status, errors]).toEqual([0, []])
    expect(output).toBe(TRANSCRIPT.replace('1,}', '1}'))
  })

  test('prints repaired bare arguments, and valid arguments byte for byte', async () => {
    expect((await run('-')).output).toBe('{"name": "test", "age": 25}')
    expect((await run('valid.json')).output).toBe(' {"a":1.0}\r\n')
  })

  test('prints the report with --json', async () => {
    expect((await run('- --json')).json).toMatchObject({
      input: 'arguments',
      state: 'repaired',
      after: '{"name": "test", "age": 25}',
      may_lose_data: false,
      fixes: [{ strategy: 'missing_commas', offset: 15, removed: '', inserted: ',' }],
    })
    expect((await run('chat.json --json')).json).toMatchObject({
      input: 'transcript',
      metrics: { calls: 1, repaired: 1, attempts: 1, total_attempts: 1, successful_repairs: 1 },
      calls: [{ conversation: 0, message: 0, tool: 'find', tool_call_id: 'a', after: '{"q": 1}' }],
    })
  })

  test('says on standard error where data may be missing', async () => {
    put('cut.txt', 'see {"q": 1}')
    expect((await run('cut.txt')).errors).toEqual([
      'cut.txt: data may be missing at character 1 (surrounding_text), counted in the arguments.',
    ])
    expect((await run('cut.txt --json')).json).toMatchObject({ may_lose_data: true })
    put('two.txt', '{"path": "a"}{"query": "b"}')
    expect((await run('two.txt')).errors).toEqual([
      'two.txt: two calls may be in one text at character 13 (disjoint_objects), counted in the arguments.',
    ])
    put('torn.json', TRANSCRIPT.slice(0, -1))
    const torn = await run('torn.json')
    expect(torn).toMatchObject({ status: 0, output: TRANSCRIPT.slice(1) })
    expect(torn.errors).toEqual([
      expect.stringMatching(/^torn.json: it is no transcript, so it is read as the arguments/),
      expect.stringContaining('it is not an object'),
      expect.stringMatching(/data may be missing at character \d+ \(unclosed_brackets\), counted/),
    ])
    put('cut.json', TRANSCRIPT.replace('{\\"q\\": 1,}', 'see {\\"q\\": 1}'))
    expect((await run('cut.json')).errors[0]).toMatch(/^cut.json: message 1, find: data may be/)
  })

  test('prints why bare arguments cannot be repaired', async () => {
    expect(await run('hopeless.txt')).toMatchObject({
      status: 2,
      output: '',
      errors: [
        'hopeless.txt: the arguments could not be repaired: nothing in it could be recognised as JSON.',
      ],
    })
    expect((await run('- --max-attempts 0')).errors[0]).toContain('attempts were used up')
    const unrepaired = await run('chat.json --max-attempts=0')
    expect(unrepaired.output).toBe(TRANSCRIPT)
    expect(unrepaired.errors[0]).toContain('chat.json: message 1, find: left as it is')
    expect((await run('- --max-milliseconds 0')).errors[0]).toContain('the time was up')
    expect((await run('- --max-attempts 0 --no-limits')).output).toBe('{"name": "test", "age": 25}')
    put('words.txt', 'two words')
    expect((await run('words.txt --wrap-input')).output).toBe('{"input":"two words"}')
    expect((await run('- --max-attempts many')).errors[0]).toContain('expected a whole number')
    expect((await run()).status).toBe(2)
  })
})
