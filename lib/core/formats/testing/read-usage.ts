/** Reads the usage that a document states, and a call and its result to write such documents with. */
import type { Usage } from '../../conversation/usage'
import { type ReadDocument, readDocument } from '../read-document'

/** What a case shows, its document, and the figures of each answer in it. */
export type UsageCase<Document = unknown> = readonly [
  shows: string,
  document: Document,
  figures: readonly (readonly unknown[])[],
]

export const PROMPT = { role: 'user', content: 'List the files.' }
export const CALL = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'ls', arguments: '{}' } }],
}
export const RESULT = { role: 'tool', tool_call_id: 'a', content: 'a.ts' }

/** Writes a value on each line. */
export function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join('\n')
}

/** Reads a text, or a value as its text. */
export function read(document: unknown): ReadDocument {
  return readDocument(typeof document === 'string' ? document : JSON.stringify(document))
}

export function usagesOf({ conversations }: ReadDocument): Usage[] {
  return conversations.flatMap(({ messages, answerUsage }) => [
    ...messages.flatMap(({ usage }) => usage ?? []),
    ...(answerUsage === undefined ? [] : [answerUsage]),
  ])
}

/** Of each answer: input, read, written, one-hour part, output, reasoning. */
export function figuresOf(document: unknown): unknown[][] {
  return usagesOf(read(document)).map((usage) => [
    usage.inputTokens,
    usage.cacheReadTokens,
    usage.cacheWriteTokens,
    usage.cacheWriteHourTokens,
    usage.outputTokens,
    usage.reasoningTokens,
  ])
}
