/** Stores questions until it is killed: `node scripts/run.mjs lib/pipeline/loop/testing/write-questions.ts sqlite FILE`. */
import type { SavedMessage } from '../../../core/loop/request'
import { createJsonLinesStore, createSqliteStore, openSqlite } from '../message-store'

/** A question with three calls, its results and its answer. */
export function questionOf(number: number): readonly SavedMessage[] {
  const ids = ['a', 'b', 'c'].map((letter) => `${letter}${number}`)
  const calls = ids.map((id) => {
    return { id, type: 'function', function: { name: 'read', arguments: '{}' } }
  })
  return [
    { role: 'user', content: `question ${number}` },
    { role: 'assistant', content: null, tool_calls: calls },
    ...ids.map((id) => {
      return { role: 'tool', content: `result ${id} `.repeat(500), tool_call_id: id, name: 'read' }
    }),
    { role: 'assistant', content: `answer ${number}`, timestamp: '2026-01-02T00:00:00.000Z' },
  ]
}

export const openStore = async (kind: string, path: string) => {
  const options = { messages: 60 }
  if (kind === 'json-lines') return createJsonLinesStore(path, options)
  return createSqliteStore(await openSqlite(path), 'session', options)
}

const [, , kind, path] = process.argv
if (kind === 'json-lines' || kind === 'sqlite') {
  const store = await openStore(kind, path as string)
  for (let number = 0; ; number++) {
    const messages = questionOf(number)
    // As a loop does: the question, then the calls with their results, then the answer.
    for (const end of [1, 5, 6]) await store.save(`${number}`, messages.slice(0, end))
    if (number === 0) process.stdout.write('first\n')
  }
}
