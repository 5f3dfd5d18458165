import type { ReadConversation } from '../conversation/conversation'
import type { Problem } from '../problem'
import type { SourceDocument } from './source-document'

/** By what a format was recognised: the shape found, how many message lists of it, and what gave it away. */
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
  /** Keys or values found that speak for the format, as written in it: `tool_use`, `functionCall`. */
  readonly marks: readonly string[]
}

export interface FormatReading {
  readonly conversations: readonly ReadConversation[]
  /** What was found wrong and left alone while reading went on. */
  readonly problems: readonly Problem[]
}

/** A transcript format: recognised by shape alone, since a paste has no name. */
export interface Format {
  readonly id: FormatId
  readonly label: string
  /** What it is recognised by, in words that go on from "expected ". */
  readonly expects: string
  /** Not this format: null. */
  readonly recognise: (source: SourceDocument) => Evidence | null
  /** Asked only where `recognise` found evidence. This format but broken: throws a `ReadError` with path and offset. */
  readonly read: (source: SourceDocument) => FormatReading
}

const FORMAT_IDS = [
  'openai-chat',
  'anthropic-messages',
  'bedrock-converse',
  'claude-code',
  'openai-responses',
  'codex',
  'gemini',
  'ai-sdk',
  'langchain',
  'swe-agent',
  'openhands',
  'inspect',
  'langfuse',
  'opentelemetry',
] as const

export type FormatId = (typeof FORMAT_IDS)[number]

/** Whether something from outside names a format; another version may know others. */
export function isFormatId(value: unknown): value is FormatId {
  return (FORMAT_IDS as readonly unknown[]).includes(value)
}

/** A format as one to choose from. */
export interface FormatChoice {
  readonly id: FormatId
  readonly label: string
  /** What it is recognised by, in words that go on from "expected ". */
  readonly expects: string
  /** Whether the document could be read as it. */
  readonly isRecognised: boolean
}
