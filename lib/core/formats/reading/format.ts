import type { ReadConversation } from '../../conversation/conversation'
import { assertReadError, errorOf, type Problem } from '../../problem'
import type { SourceDocument } from './source-document'

/** The evidence by which a format was recognised: the shape found, the number of message lists, and the format marks. */
export interface Evidence {
  readonly shape:
    | 'message_array'
    | 'request_body'
    | 'message_lines'
    | 'body_lines'
    | 'nested_lists'
    | 'event_lines'
    | 'event_array'
    | 'session'
    | 'trace'
    | 'har'
  readonly lists: number
  /** Keys or values found that are typical of the format, such as `tool_use` or `functionCall`. */
  readonly marks: readonly string[]
}

export interface FormatReading {
  readonly conversations: readonly ReadConversation[]
  /** Values that could not be read and were skipped. */
  readonly problems: readonly Problem[]
}

/** Returns a reading; throws its first problem as a `ReadError` if it has no conversation. */
export function requireConversations<Reading extends FormatReading>(reading: Reading): Reading {
  const [first] = reading.problems
  if (reading.conversations.length === 0 && first !== undefined) throw errorOf(first)
  return reading
}

/** What is read of a source; nothing but the problem where it cannot be read. */
export function readOrProblem({ read }: Pick<Format, 'read'>, source: SourceDocument) {
  try {
    return read(source)
  } catch (error) {
    assertReadError(error)
    return { conversations: [], problems: [error.problem] }
  }
}

/** The name of a format and what it expects, for a sentence. */
export function namesOf({ label, expects }: Pick<Format, 'label' | 'expects'>) {
  return { label: { name: label }, expected: { name: expects } }
}

/** A transcript format, recognised by its shape alone, since pasted text has no file name. */
export interface Format<Id extends string = string> {
  readonly id: Id
  readonly label: string
  /** The shape it is recognised by; completes the sentence "expected …". */
  readonly expects: string
  /** Returns null when the source is not of this format. */
  readonly recognise: (source: SourceDocument) => Evidence | null
  /** Reads a source that `recognise` accepted; throws a `ReadError` with path and offset when nothing in it can be read. */
  readonly read: (source: SourceDocument) => FormatReading
}
