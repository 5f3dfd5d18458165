import type { ReadConversation } from '../conversation/conversation'
import type { Problem } from '../problem'
import type { SourceDocument } from './source-document'

/** By what a format was recognised: the shape found, and how many message lists of it. */
export interface Evidence {
  readonly shape: 'message_array' | 'request_body' | 'message_lines' | 'body_lines' | 'nested_lists'
  readonly lists: number
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
  /** Not this format: null. */
  readonly recognise: (source: SourceDocument) => Evidence | null
  /** This format but broken: throws a `ReadError` with path and offset. */
  readonly read: (source: SourceDocument) => FormatReading
}

export type FormatId = 'openai-chat'
