import { describe, expect, test } from 'vitest'
import { CORPUS_FILES, CORPUS_FOLDER, HAS_CORPUS, readTranscript } from '../testing/transcripts'
import type { RepeatedCallsReport } from './find-repeated-calls'
import { inspectText } from './testing/inspect-calls'

/** A call as counted independently: its signature and time. */
type PlainCall = readonly [key: string, time: number | undefined]

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  )
}

/**
 * The calls of every conversation in a file, without our readers: parses the lines and sorts the argument keys. A
 * compaction in Claude Code starts another conversation. The lines of one answer share its id, and the time of a turn
 * is that of its first line.
 */
function plainCalls(name: string, text: string): PlainCall[][] {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line))
  if (!name.startsWith('claude-code')) {
    return lines.map(({ messages }) =>
      messages.flatMap((message: { tool_calls?: { function: Record<string, string> }[] }) =>
        (message.tool_calls ?? []).map(({ function: { name: tool, arguments: written = '' } }) => [
          JSON.stringify([tool, sorted(JSON.parse(written))]),
          undefined,
        ]),
      ),
    )
  }
  const conversations: PlainCall[][] = [[]]
  const begun = new Map<string, number>()
  for (const { type, subtype, message, timestamp } of lines) {
    if (subtype === 'compact_boundary') conversations.push([])
    if (type !== 'assistant') continue
    if (!begun.has(message.id)) begun.set(message.id, Date.parse(timestamp))
    for (const block of message.content)
      if (block.type === 'tool_use')
        conversations
          .at(-1)
          ?.push([JSON.stringify([block.name, sorted(block.input)]), begun.get(message.id)])
  }
  return conversations
}

/** By conversation: the time from each repeated call to the call it repeats. */
function plainRepeats(conversations: readonly PlainCall[][]): (number | undefined)[][] {
  return conversations.map((calls) => {
    const latest = new Map<string, number | undefined>()
    return calls.flatMap(([key, time]) => {
      const isRepeat = latest.has(key)
      const earlier = latest.get(key)
      latest.set(key, time)
      if (!isRepeat) return []
      return [time === undefined || earlier === undefined ? undefined : time - earlier]
    })
  })
}

function textOf(name: string): string {
  const file = CORPUS_FILES.find((transcript) => transcript.name === name)
  if (file === undefined) throw new Error(`${name} is missing`)
  return readTranscript(file)
}

function expectPlainCount(name: string, text: string): RepeatedCallsReport[] {
  const reports = inspectText(text)
  const plain = plainCalls(name, text)
  expect(reports.map(({ calls }) => calls)).toEqual(plain.map(({ length }) => length))
  const found = reports.map(({ repeats }) => repeats.map(({ timeApart }) => timeApart))
  expect(found).toEqual(plainRepeats(plain))
  return reports
}

const repeatsIn = (reports: readonly RepeatedCallsReport[]) =>
  reports.reduce((total, { repeats }) => total + repeats.length, 0)

describe.skipIf(!HAS_CORPUS)(`published transcripts in ${CORPUS_FOLDER}`, () => {
  test('finds as many repeats in 40 runs as an independent count', () => {
    const name = 'openai-chat/tau-bench-airline-40-runs.jsonl'
    const reports = expectPlainCount(name, textOf(name))
    expect(reports).toHaveLength(40)
    expect(repeatsIn(reports)).toBeGreaterThan(0)
  })

  test('a session compacted twice has no repeats between two compactions', () => {
    const name = 'claude-code/session-long.jsonl'
    const reports = expectPlainCount(name, textOf(name))
    expect(reports.map(({ clock }) => clock)).toEqual(['timestamps', 'timestamps', 'timestamps'])
    expect(repeatsIn(reports)).toBe(0)
  })

  test('without its compactions it is one conversation, with the repeats and times of an independent count', () => {
    const name = 'claude-code/session-long.jsonl'
    const text = textOf(name)
      .split('\n')
      .filter((line) => !/"subtype":"compact_boundary"|"isCompactSummary":true/.test(line))
      .join('\n')
    const reports = expectPlainCount(name, text)
    expect(reports).toHaveLength(1)
    expect(repeatsIn(reports)).toBeGreaterThan(0)
    expect(reports[0]?.repeats[0]?.timeApart).toBeGreaterThan(0)
  })
})
