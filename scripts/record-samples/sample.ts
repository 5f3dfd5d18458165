import type { Message } from './recorder'

/** A text of the page in its languages. */
type ByLanguage = Readonly<Record<'en' | 'fr', string>>

/** One recording: its file and how to make it. */
export interface Sample {
  readonly id: string
  readonly file: string
  readonly title: ByLanguage
  /** One line of description for the samples menu. */
  readonly shows: ByLanguage
  /** Records the session and returns the file's text. */
  record(): Promise<string>
}

/** An entry of `public/samples/index.json`. */
export interface IndexEntry {
  readonly id: string
  readonly file: string
  readonly title: ByLanguage
  readonly shows: ByLanguage
  readonly turns: number
  readonly results: number
  readonly messages: number
  readonly bytes: number
  readonly recorded: string
}

export type CountedMessage = Pick<Message, 'role'> & { readonly tool_calls?: unknown }
