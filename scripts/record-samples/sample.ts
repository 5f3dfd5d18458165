import type { Message } from './recorder'

/** One recording: its file and how to make it. */
export interface Sample {
  readonly id: string
  readonly file: string
  readonly title: string
  /** One line of description for the samples menu. */
  readonly shows: string
  /** Records the session and returns the file's text. */
  record(): Promise<string>
}

/** An entry of `public/samples/index.json`. */
export interface IndexEntry {
  readonly id: string
  readonly file: string
  readonly title: string
  readonly shows: string
  readonly turns: number
  readonly results: number
  readonly messages: number
  readonly bytes: number
  readonly recorded: string
}

export type CountedMessage = Pick<Message, 'role'> & { readonly tool_calls?: unknown }
