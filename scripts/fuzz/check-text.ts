/** Checks what must hold for any text, even one that is not a conversation. */
import { isDeepStrictEqual } from 'node:util'
import { type ReadDocument, readDocument } from '../../lib/core/formats/read-document'
import { ArrivingSource } from '../../lib/core/formats/reading/open-source'
import type { SourceDocument } from '../../lib/core/formats/reading/source-document'
import { type Problem, problemOfReading, ReadError } from '../../lib/core/problem'
import { findSecrets } from '../../lib/core/share/secrets/find-secrets'
import { redactSecrets } from '../../lib/core/share/secrets/redact-secrets'
import { describeProblem } from '../../lib/core/words/english'

export function must(isTrue: boolean, expected: string): void {
  if (!isTrue) throw new Error(`expected: ${expected}`)
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A document, or undefined if the text is refused with a sentence and a place in the text. */
export function read(text: string): ReadDocument | undefined {
  try {
    const document = readDocument(text)
    for (const { offset } of document.problems)
      must(offset === undefined || (offset >= 0 && offset <= text.length), 'a place in the text')
    return document
  } catch (error) {
    if (!(error instanceof ReadError)) throw error
    const { problem } = error
    must(problem.code !== 'reader_failed', 'a reader that does not fail')
    must((problem.offset ?? 0) <= text.length, 'a place in the text')
    must(describeProblem(problem).length > 10, 'a sentence')
    return undefined
  }
}

/** A file that arrives in chunks is read like its text. */
export function checkArriving(text: string): void {
  if (!text.isWellFormed()) return
  const bytes = new TextEncoder().encode(text)
  const arriving = new ArrivingSource(new Uint8Array(bytes.length))
  const chunkSize = Math.ceil(bytes.length / (2 + (bytes.length % 29)))
  for (let at = 0; at < bytes.length; at += chunkSize) arriving.add(bytes.slice(at, at + chunkSize))
  const arrived = problemOr(() => arriving.finish())
  if (arrived !== text)
    must(isDeepStrictEqual(readingOf(arrived), readingOf(text)), 'the same reading in chunks')
}

/** What is read, without its source's texts, or the problem. */
function readingOf(input: string | SourceDocument | Problem): unknown {
  if (typeof input === 'object' && 'code' in input) return input
  return problemOr(() => {
    const { source, ...reading } = readDocument(input)
    return { ...reading, text: source.text.slice(0), layout: source.layout }
  })
}

function problemOr<T>(work: () => T): T | Problem {
  try {
    return work()
  } catch (error) {
    return problemOfReading(error)
  }
}

export async function checkSecrets(text: string): Promise<void> {
  const secrets = await findSecrets(text)
  const redacted = redactSecrets(text, secrets)
  for (const { spans } of secrets)
    for (const { start, end } of spans)
      must(start >= 0 && start < end && end <= text.length, 'a secret inside the text')
  if (isJson(text)) must(isJson(redacted), 'JSON after redaction')
}
