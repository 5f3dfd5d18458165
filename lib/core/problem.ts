import type { Offset } from './text/span'
import type { Phrase, ProblemCode, Values, Words } from './words/words'

/** Something wrong in the input: the key of its sentence in `words/en.json`, and the values in it. */
export interface Problem {
  readonly code: ProblemCode
  readonly values: Values
  /** Offset in the document, in UTF-16 code units; undefined when it concerns the document as a whole. */
  readonly offset: Offset | undefined
}

/** Thrown when nothing of an input can be read. Its message has no words: `describeProblem` has the sentence. */
export class ReadError extends Error {
  override readonly name = 'ReadError'
  readonly problem: Problem

  constructor(code: ProblemCode, values: Values = {}, offset?: Offset) {
    super(`${code} ${JSON.stringify(values)}`)
    this.problem = { code, values, offset }
  }
}

export function errorOf({ code, values, offset }: Problem): ReadError {
  return new ReadError(code, values, offset)
}

/** Throws any error but a `ReadError` again, since it is a bug. */
export function assertReadError(error: unknown): asserts error is ReadError {
  if (!(error instanceof ReadError)) throw error
}

/** Returns the message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Why something failed: the sentence of a `ReadError`, or the message of any other error. */
export function reasonOf(error: unknown): Words {
  return error instanceof ReadError ? sentenceOf(error.problem) : { name: messageOf(error) }
}

export function sentenceOf({ code, values }: Problem): Phrase {
  return { key: code, values }
}

/** Returns the problem of an error thrown while a text was read; any error but a `ReadError` is a bug in a reader. */
export function problemOfReading(error: unknown): Problem {
  if (error instanceof ReadError) return error.problem
  return { code: 'reader_failed', values: {}, offset: undefined }
}
