/**
 * The one model every format is read into. Facts only: nothing here depends on a policy.
 * The same shapes cross from the worker to the page, so they hold numbers and short strings, no trees.
 */
import type { Place } from '../text/embedded-json'

/** The six rules of `keep_errors`, and `flag`: the format itself marks the result as an error. */
export const ERROR_RULES = [
  'traceback',
  'exception',
  'error_line',
  'timeout',
  'connection',
  'json_error',
  'flag',
] as const

export type ErrorRule = (typeof ERROR_RULES)[number]

/**
 * `text`: text as the format writes results: a string, and where the format's own results are lists or objects, their texts.
 * `text_parts`: a list of text parts only, which Schema 1 leaves alone. `other`: images, numbers, nothing.
 */
export type ResultShape = 'text' | 'text_parts' | 'other'

/** A string of the document that masking may replace; the span includes the quotes. */
export interface Slot extends Place {
  /** RFC 6901 pointer within its document; in JSON Lines, within its line. Goes on into JSON written in a string. */
  readonly pointer: string
  /** What it becomes when its result is masked; undefined: the placeholder. */
  readonly filler: string | undefined
}

export interface ToolCall {
  /** Undefined where it is not a non-empty string; such a call is answered by nothing. */
  readonly id: string | undefined
  readonly name: string | undefined
  /** Its arguments on one line, the first 80 characters. */
  readonly argumentsPreview: string
  /** Where its arguments stand, a string or any other value as written; undefined when they are no one value. */
  readonly argumentsAt: Place | undefined
  /** Index of the message that makes it. */
  readonly message: number
  /** Index of its tool turn, from 0; undefined when the message opens none. */
  readonly turn: number | undefined
}

export interface ToolResult {
  /** Index of the message it stands in. */
  readonly message: number
  /** Undefined where it is not a non-empty string. */
  readonly callId: string | undefined
  /** Index of the tool turn it belongs to, from 0; undefined for an orphan. */
  readonly turn: number | undefined
  readonly toolName: string | undefined
  /** The call's arguments on one line, the first 80 characters. */
  readonly toolArguments: string
  readonly shape: ResultShape
  /** Which error rules its text meets; the policy says which of them count. */
  readonly errorRules: readonly ErrorRule[]
  /** Unicode code points of its text, all parts together. */
  readonly chars: number
  /** UTF-16 code units of its text, all parts together. */
  readonly length: number
  /** The strings masking replaces: of its texts first, none for `other`; then of its twins. */
  readonly slots: readonly Slot[]
  /** Where the value stands that its texts are strings of; undefined where it is text itself. */
  readonly valueAt: Place | undefined
  /** How many of the last slots repeat the result elsewhere, where no model is sent it. */
  readonly twins: number
}

/** A message; its place is that of its first piece. */
export interface Message extends Place {
  /** Where the rest of it stands, when the format writes one message as several values. */
  readonly more: readonly Place[]
  readonly role: string
  /** Whether a model wrote it, whatever the format calls that role: each was the answer to a request. */
  readonly isAssistant: boolean
  /** Index of the tool turn it opens, from 0; undefined when it makes no call with an id. */
  readonly turn: number | undefined
  /** Unicode code points of its contents, name, call names and arguments. */
  readonly chars: number
  /** Parts that are no text (images, audio): their tokens are unknown and not counted. */
  readonly nonTextParts: number
  /** When it was written, in milliseconds since 1970; undefined where the format does not say. */
  readonly at: number | undefined
  /** Where its own texts stand, without those of results. */
  readonly contents: readonly Place[]
  /** Where a model's thinking stands; it is shown, not counted. */
  readonly reasoning: readonly Place[]
}

/** The texts of a message that a model is sent, for counting; they stay where the reading happened. */
export interface MessageTexts {
  readonly role: string
  readonly name: string | undefined
  readonly contents: readonly string[]
  readonly calls: readonly { readonly name: string; readonly arguments: string }[]
}

export interface Conversation {
  /** What a picker shows: where in the document the list stands, such as `messages` or `line 3`. */
  readonly label: string
  /** The beginning of the first user message, to tell conversations apart. */
  readonly opening: string
  readonly messages: readonly Message[]
  readonly calls: readonly ToolCall[]
  /** In the order of the document. */
  readonly results: readonly ToolResult[]
  readonly turnCount: number
  /** Model named beside the messages; undefined when none is. */
  readonly model: string | undefined
  /** Whether it is that of another agent, which the session in the same file started. */
  readonly isAside?: boolean
}

/** A conversation with the texts it was read from, index by index with `messages` and `results`. */
export interface ReadConversation extends Conversation {
  readonly messageTexts: readonly MessageTexts[]
  /** By call, as text; also of those a model wrote into its message. */
  readonly callArguments: readonly string[]
  readonly resultTexts: readonly (readonly string[])[]
  /** Tool schemas sent beside the messages, as JSON text; empty when there are none. */
  readonly toolSchemas: string
}
