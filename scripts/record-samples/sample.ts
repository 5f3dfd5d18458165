import type { Message } from './recorder'

/** One recording: how it is made and how the file is laid out. */
export interface Sample {
  readonly id: string
  readonly file: string
  readonly title: string
  /** One line for the person who picks a sample. */
  readonly shows: string
  /** The text of the file, freshly recorded. */
  record(): Promise<string>
}

/** A line of `public/samples/index.json`. */
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
