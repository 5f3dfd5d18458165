/**
 * Published files of agents beside the corpus: counts are compared with those that a few lines take from the raw JSON,
 * and masking changes the masked strings only.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectStableMasking } from '../testing/expect-masked'
import { CORPUS_FOLDER } from '../testing/transcripts'
import { type FormatId, readDocument } from './read-document'

const FOLDER = join(CORPUS_FOLDER, '../more-formats')

interface Counts {
  readonly messages: number
  readonly calls: number
  readonly results: number
}

interface PublishedFile {
  readonly file: string
  readonly format: FormatId
  readonly conversations: number
  readonly problems: readonly string[]
  readonly count: (lines: readonly Line[], text: string) => Counts
}

// biome-ignore lint/suspicious/noExplicitAny: the script must not share the readers' types.
type Line = any

const FILES: readonly PublishedFile[] = [
  {
    file: 'copilot-cli-events.jsonl',
    format: 'copilot-cli',
    // The session, and a subagent.
    conversations: 2,
    problems: [],
    count: (lines) => {
      const typed = (type: string) => lines.filter((line) => line.type === type)
      const answers = typed('assistant.message')
      const results = typed('tool.execution_complete').length
      const others = ['system.message', 'user.message', 'system.notification'].flatMap(typed)
      return {
        messages: others.length + answers.length + results,
        calls: answers.flatMap(({ data }) => data.toolRequests).length,
        results,
      }
    },
  },
  {
    file: 'qwen-code.jsonl',
    format: 'qwen-code',
    // The session; the branch before the rewind has neither results nor usage.
    conversations: 1,
    problems: [],
    count: (lines) => {
      const left = lines.findIndex(({ subtype }) => subtype === 'rewind')
      const target = lines[left].systemPayload.targetUuid
      const kept = lines.filter(({ uuid }, at) => at > left || uuid === target)
      const sent = kept.filter(({ message }) => message !== undefined)
      const parts = sent.flatMap(({ message }) => message.parts)
      return {
        // Lines with one id are pieces of a message.
        messages: new Set(sent.map(({ uuid }) => uuid)).size,
        calls: parts.filter(({ functionCall }) => functionCall !== undefined).length,
        results: parts.filter(({ functionResponse }) => functionResponse !== undefined).length,
      }
    },
  },
  {
    file: 'agents-sdk-run-state.json',
    format: 'agents-sdk',
    conversations: 1,
    problems: [],
    count: ([state]) => {
      const typed = (type: string) =>
        state.generated_items.filter((item: Line) => item.type === type).length
      const results = typed('tool_call_output_item')
      // The input, the calls as one answer, the results.
      return { messages: 2 + results, calls: typed('tool_call_item'), results }
    },
  },
  {
    file: 'kimi-wire.jsonl',
    format: 'kimi-code',
    conversations: 1,
    problems: [],
    // The system prompt, and what was appended; no step of this session was answered.
    count: (lines) => {
      const appended = lines.filter(({ type }) => type === 'context.append_message')
      return { messages: 1 + appended.length, calls: 0, results: 0 }
    },
  },
]

describe.each(FILES)('$file', ({ file, format, conversations, problems, count }) => {
  const path = join(FOLDER, file)
  test.skipIf(!existsSync(path))(
    `has the counts of the raw file (skipped without ${FOLDER})`,
    () => {
      const text = readFileSync(path, 'utf8')
      const lines = file.endsWith('.jsonl')
        ? text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as Line)
        : [JSON.parse(text) as Line]
      const document = readDocument(text)
      expect(document.format.id).toBe(format)
      expect(document.problems.map(({ code }) => code)).toEqual(problems)
      expect(document.conversations).toHaveLength(conversations)
      const sum = (key: keyof Counts) =>
        document.conversations.reduce((total, conversation) => total + conversation[key].length, 0)
      expect({ messages: sum('messages'), calls: sum('calls'), results: sum('results') }).toEqual(
        count(lines, text),
      )
      expectStableMasking(text, format)
    },
  )
})
