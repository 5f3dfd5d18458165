import type { Offset } from './text/span'

/**
 * The sentences about bad input: what was found, where, and what was expected.
 * Names in braces are replaced by a problem's `values`; the interface's messages include these sentences.
 */
export const PROBLEM_SENTENCES = {
  empty: 'There is nothing here yet; expected a conversation as JSON or JSON Lines.',
  invalid_json: 'Line {line}, column {column}: found {found}; expected {expected}.',
  truncated_json:
    'The text ends at line {line}, column {column}, inside {inside}; expected {expected}. It looks cut off.',
  too_deep:
    'Line {line}, column {column}: arrays and objects are nested more than {limit} levels deep; expected fewer levels.',
  too_large: 'The text has {size} million characters; expected at most {limit} million.',
  no_conversation:
    'This is JSON ({found}), but not a conversation; expected a list of messages, objects with a "role", at any level.',
  no_conversation_lines:
    'These are {lines} lines of JSON, but not a conversation; expected one message per line, or a "messages" list in each line.',
  cursor_transcript:
    'These are {lines} lines of a transcript of Cursor, which has neither the ids of tool calls nor their results, so there is nothing to mask; expected a transcript with tool results, such as the requests that were sent to the model.',
  vscode_chat_changes:
    'These are {lines} changes of a VS Code chat; expected the chat itself, which the command "Chat: Export Chat…" of VS Code writes.',
  kimi_cli_wire:
    'These are {lines} lines of "wire.jsonl" of the older Kimi CLI, the events of its screen; expected "context.jsonl", which is in the same folder and has the messages.',
  copied_request: 'This is a {kind}; expected its JSON body alone.',
  copied_request_without_json:
    'This is a {kind} without a JSON body; expected a request that sends a conversation.',
  streamed_answers:
    'These are server-sent events of streamed answers ({count}); expected the messages that they make, as the page and the commands put them together.',
  no_streamed_answer:
    "The text begins like server-sent events, but none of them is part of a model's answer; expected the events of an answer, or a conversation as JSON.",
  stream_cut:
    'Answer {answer}, from line {line} on, ends without {ending}; it looks cut off. What arrived is read.',
  stream_error: 'Line {line} is an error in place of an answer ({failure}).',
  har_without_bodies:
    'No request of this HAR file has a JSON body ({requests} checked); expected a conversation in "postData". Browsers do not record requests sent before the network panel was open.',
  har_no_conversation:
    'No JSON body of this HAR file is a conversation ({bodies} checked); expected a list of messages in one of them.',
  har_other_formats:
    'Request bodies in another format were skipped ({count}: {labels}); choose that format to read them.',
  other_formats:
    'Conversations in another format were skipped ({count}: {labels}); choose that format to read them.',
  other_lines:
    'Line {line} has tool results in another format ({label}), and nothing of it was read; open each format by itself.',
  unread_tools:
    '{path} names a tool, but no call or result was found; expected calls and results in the shape of the format shown. Another format may read them.',
  wrong_type: '{path} is {found}; expected {expected}.',
  not_this_format: 'This is {found}, not {label}; expected {expected}.',
  bad_line: 'Line {line} is not JSON ({reason}); it was skipped.',
  skipped_message: '{path} is {found}, not a message; it was skipped.',
  not_utf8:
    'The file is not UTF-8 text: byte {offset} is {found}. Save it as UTF-8 and open it again.',
  utf16: 'The file is {found} text; expected UTF-8. Save it as UTF-8 and open it again.',
  other_file: 'The file is {kind}; expected JSON or JSON Lines.',
  binary: 'The file is not text: byte {offset} is zero; expected JSON or JSON Lines.',
  empty_file: 'The file is empty; expected a conversation as JSON or JSON Lines.',
  reader_failed:
    'This program failed while it read the text. That is a bug in the program; reading the text as another format may work.',
  unreadable_file: 'The file could not be read: {reason}',
  archive_cut:
    'The {kind} archive ends after {bytes} bytes, before {missing}; expected the whole archive. It looks cut off.',
  archive_broken: 'The {kind} archive is broken: {found}; expected {expected}.',
  archive_member_broken: '{member} in the {kind} archive is broken: {found}; expected {expected}.',
  archive_member_method:
    '{member} in the zip archive is compressed with {method}; expected stored, deflate or zstd.',
  archive_member_encrypted:
    '{member} in the zip archive is encrypted; expected an archive without a password.',
  archive_large:
    '{member} would exceed the limit of {limit} MB for unpacked files. Unpack the archive and open the file by itself.',
  archive_many: '{name} has more than {limit} files; only the first {limit} are listed.',
  archive_deep: '{member} is inside more than {limit} nested archives; expected fewer.',
  parquet_columns: 'The Parquet file has the columns {columns}; expected one of {expected}.',
  parquet_encrypted: 'The Parquet file is encrypted; expected one that is not.',
  parquet_rows: '{name} has {rows} rows; only the first {count} are listed.',
  parquet_empty: 'The Parquet file has no rows; expected a transcript in each row.',
  archive_empty: 'The {kind} archive contains no files; expected a transcript.',
} as const

export type ProblemCode = keyof typeof PROBLEM_SENTENCES

export type ProblemValues = Readonly<Record<string, string | number>>

/** Something wrong in the input. */
export interface Problem {
  readonly code: ProblemCode
  readonly values: ProblemValues
  /** Offset in the document, in UTF-16 code units; undefined when it concerns the document as a whole. */
  readonly offset: Offset | undefined
}

/** Returns the English sentence of a problem. */
export function describeProblem(problem: Problem): string {
  return PROBLEM_SENTENCES[problem.code].replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(problem.values, name) ? String(problem.values[name]) : whole,
  )
}

/** Thrown when nothing of an input can be read; `message` is the English sentence. */
export class ReadError extends Error {
  override readonly name = 'ReadError'
  readonly problem: Problem

  constructor(code: ProblemCode, values: ProblemValues = {}, offset?: Offset) {
    const problem = { code, values, offset }
    super(describeProblem(problem))
    this.problem = problem
  }
}

/** Throws any error but a `ReadError` again, since it is a bug. */
export function assertReadError(error: unknown): asserts error is ReadError {
  if (!(error instanceof ReadError)) throw error
}

/** Returns the message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns the problem of an error thrown while a text was read; any error but a `ReadError` is a bug in a reader. */
export function problemOfReading(error: unknown): Problem {
  if (error instanceof ReadError) return error.problem
  return { code: 'reader_failed', values: {}, offset: undefined }
}
