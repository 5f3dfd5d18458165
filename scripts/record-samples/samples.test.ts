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
