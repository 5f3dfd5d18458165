import type { Offset } from './text/span'

/**
 * The sentences for what can be wrong with an input: what was found, where, what was expected.
 * Names in braces are filled from a problem's `values`; the interface's catalogue takes these as its own.
 */
export const PROBLEM_SENTENCES = {
  empty: 'There is nothing here yet: expected a conversation as JSON or JSON Lines.',
  invalid_json: 'Line {line}, column {column}: found {found}; expected {expected}.',
  truncated_json:
    'The text ends at line {line}, column {column}, inside {inside}; expected {expected}. It looks cut off.',
  too_deep:
    'Line {line}, column {column}: arrays and objects are nested more than {limit} levels deep; a conversation needs fewer.',
  too_large: 'The text has {size} million characters; at most {limit} million are read.',
  no_conversation:
    'This is JSON ({found}), but no conversation: looked for a list of messages, objects with a "role", at every level and found none.',
  no_conversation_lines:
    'These are {lines} lines of JSON, but no conversation: looked for one message a line, or a "messages" list in each line.',
  copied_request: 'This is a {kind}; expected its JSON body alone.',
  copied_request_without_json:
    'This is a {kind} without a JSON body; expected a request that sends a conversation.',
  har_without_bodies:
    'No request of this HAR file has a JSON body ({requests} looked at): expected a conversation in "postData". Browsers leave out what was sent before the network panel was open.',
  har_no_conversation:
    'No JSON body of this HAR file is a conversation ({bodies} looked at): looked for a list of messages in each.',
  har_other_formats:
    'Request bodies in another format were left alone ({count}: {labels}); choose that format to read them.',
  other_formats:
    'Conversations in another format were left alone ({count}: {labels}); choose that format to read them.',
  wrong_type: '{path} is {found}; expected {expected}.',
  not_this_format: 'This is {found}, not {label}; expected {expected}.',
  bad_line: 'Line {line} is not JSON ({reason}) and was left alone.',
  skipped_message: '{path} is {found}, not a message; it was left alone.',
  not_utf8:
    'The file is not UTF-8 text: byte {offset} is {found}. Save it as UTF-8 and open it again.',
  utf16: 'The file is {found} text; expected UTF-8. Save it as UTF-8 and open it again.',
  binary: 'The file is not text: byte {offset} is zero{kind}. Expected JSON or JSON Lines.',
  empty_file: 'The file is empty: expected a conversation as JSON or JSON Lines.',
  unreadable_file: 'The file could not be read: {reason}',
  archive_cut:
    'The {kind} archive ends after {bytes} bytes, before {missing}; expected the whole archive. It looks cut off.',
  archive_broken: 'The {kind} archive is broken: {found}; expected {expected}.',
  archive_member_broken: '{member} in the {kind} archive is broken: {found}; expected {expected}.',
  archive_member_method:
    '{member} in the zip archive is packed by {method}; expected stored, deflate or zstd.',
  archive_member_encrypted:
    '{member} in the zip archive is encrypted; expected an archive without a password.',
  archive_large:
    '{member} would bring what is unpacked past {limit} MB, the most that is opened at once. Unpack the archive and open the file by itself.',
  archive_many:
    '{name} has more than {limit} files; expected fewer, and only the first {limit} are listed.',
  archive_deep: '{member} lies in more than {limit} archives, one in the other; expected fewer.',
  archive_empty: 'The {kind} archive has no file in it; expected a transcript.',
} as const

export type ProblemCode = keyof typeof PROBLEM_SENTENCES

export type ProblemValues = Readonly<Record<string, string | number>>

/** Something wrong at a place of the input. */
export interface Problem {
  readonly code: ProblemCode
  readonly values: ProblemValues
  /** Where in the document, in UTF-16 code units; undefined when it is about the whole. */
  readonly offset: Offset | undefined
}

/** The English sentence of a problem. */
export function describeProblem(problem: Problem): string {
  return PROBLEM_SENTENCES[problem.code].replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(problem.values, name) ? String(problem.values[name]) : whole,
  )
}

/** Thrown when an input cannot be read at all; `message` is the English sentence. */
export class ReadError extends Error {
  override readonly name = 'ReadError'
  readonly problem: Problem

  constructor(code: ProblemCode, values: ProblemValues = {}, offset?: Offset) {
    const problem = { code, values, offset }
    super(describeProblem(problem))
    this.problem = problem
  }
}
