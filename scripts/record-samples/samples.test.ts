import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { IndexEntry } from './sample'

const folder = fileURLToPath(new URL('../../public/samples/', import.meta.url))
const readText = (file: string) => readFileSync(join(folder, file), 'utf8')
const index: IndexEntry[] = JSON.parse(readText('index.json'))

interface WrittenMessage {
  role: string
  content: unknown
  tool_call_id?: unknown
  tool_calls?: { id: string; function: { name: string; arguments: string } }[] | null
}

/** Conversations of a file, told from the shapes this project writes. */
function conversationsOf(file: string): WrittenMessage[][] {
  const text = readText(file)
  if (!file.endsWith('.jsonl')) {
    const value = JSON.parse(text)
    return [Array.isArray(value) ? value : value.messages]
  }
  const values = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return 'messages' in values[0] ? values.map((value) => value.messages) : [values]
}

const resultsOf = (messages: WrittenMessage[]) =>
  messages.filter((message) => message.role === 'tool')
const callsOf = (messages: WrittenMessage[]) =>
  messages.flatMap((message) => message.tool_calls ?? [])
const hasCalls = (message: WrittenMessage) =>
  Array.isArray(message.tool_calls) &&
  message.tool_calls.some((call) => typeof call.id === 'string' && call.id)

function textOf(message: WrittenMessage | undefined): string {
  if (typeof message?.content === 'string') return message.content
  if (!Array.isArray(message?.content)) return ''
  return message.content.map((part) => part.text).join('\n')
}

describe.each(index)('$id', (entry) => {
  const conversations = conversationsOf(entry.file)
  const messages = conversations.flat()

  test('the index has the numbers of the file', () => {
    expect(entry.messages).toBe(messages.length)
    expect(entry.turns).toBe(messages.filter(hasCalls).length)
    expect(entry.results).toBe(resultsOf(messages).length)
    expect(entry.bytes).toBe(readFileSync(join(folder, entry.file)).length)
    expect(entry.recorded).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  })

  test('no path of the machine occurs', () => {
    expect(readText(entry.file)).not.toMatch(/\/work\/|\/tmp\/|\/root|\/home\/|\/Users\//)
  })

  test.skipIf(entry.id === 'broken-history')('every call is answered exactly once', () => {
    for (const conversation of conversations) {
      const asked = callsOf(conversation).map((call) => call.id)
      const answered = resultsOf(conversation).map((message) => message.tool_call_id)
      expect(answered).toEqual(asked)
      expect(new Set(asked).size).toBe(asked.length)
    }
  })
})

test('the files stay under 1.2 MB together', () => {
  expect(index.reduce((sum, entry) => sum + entry.bytes, 0)).toBeLessThan(1_200_000)
})

describe('coding-session', () => {
  const messages = conversationsOf('coding-session.json').flat()

  test('has 60 turns or more, parallel calls and real errors', () => {
    expect(messages.filter(hasCalls).length).toBeGreaterThanOrEqual(60)
    expect(messages.some((message) => (message.tool_calls?.length ?? 0) >= 3)).toBe(true)
    const errors = resultsOf(messages).filter((message) =>
      /^Error|ENOENT|TypeError|^not ok/m.test(textOf(message)),
    )
    expect(errors.length).toBeGreaterThanOrEqual(3)
  })
})

test.each(index.filter(({ id }) => ['coding-session', 'many-runs'].includes(id)))(
  'the last test run of $id passes',
  ({ file }) => {
    for (const conversation of conversationsOf(file)) {
      const runs = resultsOf(conversation)
        .map(textOf)
        .filter((text) => /^# fail \d/m.test(text))
      expect(runs.at(-1)).toMatch(/^# pass [1-9]/m)
      expect(runs.at(-1)).toMatch(/^# fail 0$/m)
    }
  },
)

test('every result of text-parts is a list of text parts, some of two', () => {
  const results = resultsOf(conversationsOf('text-parts.jsonl').flat())
  for (const { content } of results) {
    expect(Array.isArray(content)).toBe(true)
    for (const part of content as { type: string; text: unknown }[]) {
      expect(Object.keys(part)).toEqual(['type', 'text'])
      expect(part.type).toBe('text')
      expect(typeof part.text).toBe('string')
    }
  }
  expect(results.some(({ content }) => (content as unknown[]).length === 2)).toBe(true)
})

test('data-analysis is a bare array on one line', () => {
  const text = readText('data-analysis.json')
  expect(text).not.toContain('\n')
  expect(text.startsWith('[{"role":')).toBe(true)
})

test('log-reading has several results of 5 to 20 kB', () => {
  const sizes = resultsOf(conversationsOf('log-reading.json').flat()).map(
    (message) => textOf(message).length,
  )
  expect(sizes.filter((size) => size >= 5000 && size <= 20_500).length).toBeGreaterThanOrEqual(5)
})

test('many-runs holds 6 to 8 conversations of 5 to 15 turns', () => {
  const conversations = conversationsOf('many-runs.jsonl')
  expect(conversations.length).toBeGreaterThanOrEqual(6)
  expect(conversations.length).toBeLessThanOrEqual(8)
  for (const conversation of conversations) {
    const turns = conversation.filter(hasCalls).length
    expect(turns).toBeGreaterThanOrEqual(5)
    expect(turns).toBeLessThanOrEqual(15)
  }
})

describe('broken-history', () => {
  const text = readText('broken-history.json')
  const messages = conversationsOf('broken-history.json').flat()
  const results = resultsOf(messages)
  const callIds = callsOf(messages).map((call) => call.id)

  test('begins with results whose call was cut off', () => {
    expect(messages[0]?.role).toBe('tool')
    expect(callIds).not.toContain(messages[0]?.tool_call_id)
  })

  test('has calls without an answer, in the middle and at the end', () => {
    const answered = results.map((message) => message.tool_call_id)
    const unanswered = callIds.filter((id) => !answered.includes(id))
    expect(unanswered.length).toBeGreaterThanOrEqual(2)
    expect(unanswered).toContain(callIds.at(-1))
  })

  test('has a result without tool_call_id, one with null and an id used twice', () => {
    expect(results.filter((message) => !('tool_call_id' in message))).toHaveLength(1)
    expect(results.filter((message) => message.content === null)).toHaveLength(1)
    expect(callIds.length - new Set(callIds).size).toBe(1)
  })

  test('has tool_calls null, tool_calls empty and arguments that are an object', () => {
    expect(messages.some((message) => message.tool_calls === null)).toBe(true)
    expect(messages.some((message) => message.tool_calls?.length === 0)).toBe(true)
    const kinds = callsOf(messages).map((call) => typeof call.function.arguments)
    expect(kinds.filter((kind) => kind === 'object')).toHaveLength(1)
  })

  test('has numbers that re-printing would change', () => {
    for (const literal of ['12345678901234567890', '1e5', '1.50', '-0']) {
      expect(text).toMatch(new RegExp(`: ${literal}[,\\r\\n]`))
    }
  })

  test('mixes line ends and has none at its end', () => {
    expect(text).toMatch(/\r\n/)
    expect(text).toMatch(/[^\r]\n/)
    expect(text.endsWith('}')).toBe(true)
  })
})

test('some messages carry reasoning_content and some results a name', () => {
  const messages = conversationsOf('coding-session.json').flat()
  expect(messages.some((message) => 'reasoning_content' in message)).toBe(true)
  expect(resultsOf(messages).some((message) => 'name' in message)).toBe(true)
})
