import { describe, expect, test } from 'vitest'
import { CORPUS_FILES, CORPUS_FOLDER, HAS_CORPUS, readTranscript } from '../testing/transcripts'
import { inspectText } from './testing/inspect-calls'

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  )
}

/** The calls of every conversation in a file, without our readers: parses the lines and sorts the argument keys. */
function plainCalls(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) =>
    JSON.parse(line).messages.flatMap(
      ({ tool_calls: calls = [] }: { tool_calls?: { function: Record<string, string> }[] }) =>
        calls.map(({ function: { name, arguments: written = '' } }) =>
          JSON.stringify([name, sorted(JSON.parse(written))]),
        ),
    ),
  )
}

function textOf(name: string): string {
  const file = CORPUS_FILES.find((transcript) => transcript.name === name)
  if (file === undefined) throw new Error(`${name} is missing`)
  return readTranscript(file)
}

describe.skipIf(!HAS_CORPUS)(`published transcripts in ${CORPUS_FOLDER}`, () => {
  test('finds as many repeats in 40 runs as an independent count', () => {
    const text = textOf('openai-chat/tau-bench-airline-40-runs.jsonl')
    const reports = inspectText(text)
    const plain = plainCalls(text)
    expect(reports.map(({ calls }) => calls)).toEqual(plain.map(({ length }) => length))
    const repeated = plain.map((calls) => calls.length - new Set(calls).size)
    expect(reports.map(({ repeats }) => repeats.length)).toEqual(repeated)
    expect(repeated.some((count) => count > 0)).toBe(true)
  })
})
