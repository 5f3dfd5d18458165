/** What `mask` reads, and what it says when it cannot. */
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { zipOf } from '../core/testing/zip-of'
import { maskCommand } from './mask-command'
import { commandFolder, TEXT } from './testing/command-folder'

const { put, run } = commandFolder(maskCommand, TEXT)
put('chat.json', TEXT)

describe('mask reads', () => {
  test('masks the JSON body of a request copied as cURL, with a warning', async () => {
    const body = `{"messages": ${TEXT.slice(1)}}`
    put('request.sh', `curl 'https://api.example.com/v1/chat' -d '${body}'`)
    const { status, output, errors } = await run(
      'request.sh --window-turns 1 --placeholder-template [{tool_call_id}]',
    )
    expect(status).toBe(0)
    expect(errors).toEqual([
      'request.sh: the JSON body of the cURL command (POST api.example.com/v1/chat) is read.',
    ])
    expect(output).toBe(body.replace('"old 😀"', '"[a]"'))
  })

  test('reads the messages of a captured stream, and says where results are', async () => {
    const choices = [{ index: 0, delta: { content: 'Hello.' } }]
    const data = `data: ${JSON.stringify({ id: '1', model: 'gpt-5', choices })}\n\n`
    put('capture.txt', data)
    const { status, output, errors } = await run('capture.txt')
    expect(status).toBe(0)
    expect(JSON.parse(output).messages[0].content).toBe('Hello.')
    expect(errors).toEqual([
      'capture.txt: the messages of 1 streamed answer (OpenAI chat) are read. Tool results are in the requests, which are not here.',
      'capture.txt: Answer 1, from line 1 on, ends without a "finish_reason"; it looks cut off. What arrived is read.',
    ])
    put('session.txt', `{"messages": ${TEXT.slice(1)}}\n${data}`)
    expect((await run('session.txt')).errors[0]).toBe(
      'session.txt: the messages of 1 streamed answer (OpenAI chat) are read.',
    )
  })

  test('lists the edits of what is nearly JSON, and makes them with --repair-json', async () => {
    const nearly = TEXT.slice(1, -1)
    put('nearly.json', `${nearly},\n]`)
    const refused = await run('nearly.json')
    expect([refused.status, refused.output]).toEqual([2, ''])
    expect(refused.errors).toEqual([
      'nearly.json: Line 5, column 1: found ]; expected a value. With --repair-json it is read after 1 edit (line 4: "," removed).',
    ])
    const { status, output, errors } = await run('nearly.json --repair-json --no-enabled')
    expect([status, output]).toEqual([0, `${nearly}\n]`])
    expect(errors[0]).toBe(
      'nearly.json: it is nearly JSON, and read after 1 edit (line 4: "," removed).',
    )
    const item = "{'role': 'user', 'content': None}"
    put('python.json', `[${Array(3).fill(item).join()}]`)
    expect((await run('python.json')).errors.join()).toContain('; and ')
    put('no.json', 'print(1)')
    expect((await run('no.json --repair-json')).errors.join()).not.toContain('nearly')
  })

  test('skips a bad line with a warning', async () => {
    put('lines.jsonl', '{"role":"user","content":"x"}\n{"role":\n{"role":"user","content":"y"}\n')
    const { status, output, errors } = await run('lines.jsonl')
    expect([status, output.length > 0]).toEqual([0, true])
    expect(errors).toEqual([expect.stringMatching(/^lines\.jsonl: Line 2 is not JSON/)])
  })
})

const plain = await run('chat.json --window-turns 1')

const chat = { name: 'chat.json', bytes: Buffer.from(TEXT) }
put('two.zip', await zipOf({ ...chat, name: 'a.json' }, { ...chat, name: 'b.json' }))

describe('mask unpacks', () => {
  test('a compressed file gives the same output as the plain file', async () => {
    put('packed.json.gz', gzipSync(TEXT))
    expect(await run('packed.json.gz --window-turns 1')).toEqual(plain)
  })

  test('the only transcript of an archive is masked', async () => {
    put('log.eval', await zipOf({ name: 'header.json', bytes: Buffer.from('{"a":1}') }, chat))
    const errors = ['log.eval/chat.json is read, the only transcript of 2 files.']
    expect(await run('log.eval --window-turns 1')).toEqual({ ...plain, errors })
  })
})

describe('mask reads a document as the format asked for', () => {
  const items = '{"type":"function_call_output","call_id":"z","output":"an item"}'
  put('both.json', `{"span":{"input":${TEXT.slice(1)},"output":[${items}]}}`)

  test('by --format', async () => {
    const { output, errors } = await run('both.json --window-turns 1 --decisions')
    expect(JSON.parse(output)).toHaveLength(1)
    expect(errors.join()).toContain('1: OpenAI chat')
    const chat = await run('both.json --window-turns 1 --decisions --format openai-chat')
    expect(JSON.parse(chat.output)).toHaveLength(3)
  })

  test('by the first that finds a result', async () => {
    const answer = '{"type":"message","role":"assistant","content":[]}'
    put('answered.json', `{"span":{"input":${TEXT.slice(1)},"output":[${answer}]}}`)
    const { output } = await run('answered.json --decisions')
    expect(JSON.parse(output)).toHaveLength(3)
  })
})

describe('mask fails with a sentence, status 2 and no output', () => {
  put('not.json', '{"a": 1,}')
  put('none.json', '{"a": 1}')
  put('get.sh', "curl 'https://api.example.com/v1/chat'")
  put('binary.json', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x14, 0x00, 0x00]))
  put('cut.zip', Uint8Array.from([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x00]))
  put('bad.toml', '[observation')
  put('wrong.toml', '[observation_masking.schema1]\nwindow_turns = "8"\nwindow = 3\n')

  test.each([
    [[], 'Which file?'],
    [['absent.json'], 'There is no file absent.json.'],
    [['.'], '. is a folder; expected a file.'],
    [['chat.json', 'none.json'], 'One file at a time: found chat.json, none.json.'],
    [['not.json'], 'not.json: Line 1, column 9: found }'],
    [['none.json'], 'none.json: This is JSON (an object with "a"), but not a transcript'],
    [['get.sh'], 'get.sh: This is a cURL command without a JSON body'],
    [
      ['two.zip'],
      /^two\.zip holds 2 files, 2 of them transcripts; expected one\. They are two\.zip\/a\.json, two\.zip\/b\.json\.$/,
    ],
    [['chat.json --format chat'], /^--format is "chat"; expected one of swe-agent, .*openai-chat/],
    [['binary.json'], 'binary.json: The file is a PNG image'],
    [['cut.zip'], 'cut.zip: The zip archive ends after 7 bytes'],
    [['chat.json', '--frobnicate'], 'There is no flag --frobnicate'],
    [['chat.json', '--no-window-turns'], 'There is no flag --no-window-turns'],
    [['chat.json', '-w', '3'], 'There is no flag -w'],
    [['chat.json', '--window-turns'], '--window-turns needs a value: --window-turns N.'],
    [['chat.json', '--window-turns', '--decisions'], '--window-turns needs a value'],
    [
      ['chat.json', '--window-turns', '3.5'],
      '--window-turns is "3.5"; expected a whole number from 0 to 1000000.',
    ],
    [['chat.json', '--window-turns', '-5'], '--window-turns is -5; expected 0 to 1000000'],
    [['chat.json --error-rules timeout,nope'], '--error-rules names "nope"; known are traceback'],
    [
      ['chat.json --exclude-tools ,'],
      '--exclude-tools is a list with an empty item; expected a list of tool names.',
    ],
    [['chat.json', '--never-grow=maybe'], '--never-grow takes no value'],
    [['chat.json --model llama'], '--model is "llama"; expected a model of the families gpt-5'],
    [['chat.json', '--config', 'absent.toml'], 'There is no file absent.toml.'],
    [['chat.json', '--config', 'bad.toml'], 'bad.toml: Line 1, column'],
    [
      ['chat.json', '--config', 'wrong.toml'],
      'wrong.toml: Line 2: window_turns is "8"; expected a whole number from 0 to 1000000. Line 3: [observation_masking.schema1] has no setting "window"',
    ],
  ])('%j', async (args, sentence) => {
    const { status, output, errors } = await run(...args)
    expect([status, output, errors.length]).toEqual([2, '', 1])
    expect(errors[0]).toMatch(sentence)
  })
})
