import { afterAll, describe, expect, test } from 'vitest'
import {
  CORPUS_FILES,
  CORPUS_FOLDER,
  HAS_CORPUS,
  readTranscript,
  type TranscriptFile,
} from '../testing/transcripts'
import { readDocument } from './read-document'

/** Turns with a time, and all turns, of each file with times; no other file has any. */
const TIMED: Readonly<Record<string, readonly [timed: number, all: number]>> = {
  'anthropic-messages/cline-session.json': [11, 11],
  'claude-code/edge-cases-unparsable-line.jsonl': [3, 3],
  'claude-code/session-long.jsonl': [206, 206],
  'claude-code/session-orphan-result.jsonl': [46, 46],
  'codex/session-schema-drift.jsonl': [1, 1],
  // Most of its lines have had their times taken out.
  'codex/session-small.jsonl': [3, 7],
  'gemini/gemini-cli-session.json': [9, 9],
  'other/inspect-ais-decoder.eval/samples/1_epoch_1.json': [8, 8],
  'other/openhands-events.json': [4, 4],
}

/** Turns with a time, and all turns. */
function turnsOf(file: TranscriptFile): readonly [timed: number, all: number] {
  const turns = readDocument(readTranscript(file)).conversations.flatMap(({ messages }) =>
    messages.filter(({ turn }) => turn !== undefined),
  )
  return [turns.filter(({ writtenAt: at }) => at !== undefined).length, turns.length]
}

describe.skipIf(!HAS_CORPUS)(`the clock of transcripts in ${CORPUS_FOLDER}`, () => {
  const clocks: string[] = []
  afterAll(() => console.log(clocks.join('\n')))

  test.each(CORPUS_FILES.map((file) => [file.name, file] as const))('%s', (name, file) => {
    const [timed, all] = turnsOf(file)
    const expected = TIMED[name] ?? [0, all]
    clocks.push(`${name}: ${timed === all && all > 0 ? 'timestamps' : 'turn order'}`)
    expect([timed, all]).toEqual(expected)
  })
})

describe('a message has the time its format writes', () => {
  const timesOf = (document: unknown) =>
    readDocument(typeof document === 'string' ? document : JSON.stringify(document))
      .conversations.flatMap(({ messages }) => messages)
      .filter(({ turn }) => turn !== undefined)
      .map(({ writtenAt: at }) => at)
  const time = '2026-01-02T03:04:05.678Z'
  const at = Date.parse(time)
  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }

  test.each([
    ['timestamp', time],
    ['created_at', at / 1000],
    ['createdAt', at],
  ])('chat completions, %s', (key, value) => {
    const messages = [{ role: 'assistant', content: null, tool_calls: [call], [key]: value }]
    expect(timesOf({ messages })).toEqual([at])
  })

  test('Claude Code: an answer in several lines has the time of the first', () => {
    const line = (id: string, when: string, block: object) =>
      JSON.stringify({
        type: 'assistant',
        uuid: id,
        sessionId: 's',
        timestamp: when,
        message: { id: 'm', role: 'assistant', content: [block] },
      })
    const lines = [
      line('1', time, { type: 'text', text: 'x' }),
      line('2', '2026-01-02T04:00:00Z', { type: 'tool_use', id: 'a', name: 'f', input: {} }),
    ]
    expect(timesOf(lines.join('\n'))).toEqual([at])
  })

  test('AI SDK: an answer of one step has the time of its message, an answer of several steps has none', () => {
    const part = (id: string) => ({
      type: 'tool-find',
      toolCallId: id,
      state: 'output-available',
      input: {},
      output: 'x',
    })
    const step = { type: 'step-start' }
    const answer = (parts: readonly object[]) => [
      { id: 'm', role: 'assistant', createdAt: time, parts },
    ]
    expect(timesOf(answer([step, part('a')]))).toEqual([at])
    expect(timesOf(answer([step, part('a'), step, part('b')]))).toEqual([undefined, undefined])
  })

  test('mini-swe-agent: the time in `extra` of the message', () => {
    const document = {
      trajectory_format: 'mini-swe-agent-1.1',
      info: {},
      messages: [
        {
          role: 'assistant',
          content: 'x\n```bash\nls\n```',
          extra: { timestamp: at / 1000 },
        },
        { role: 'user', content: 'a.ts' },
      ],
    }
    expect(timesOf(document)).toEqual([at])
  })
})
