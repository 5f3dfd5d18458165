import type { FormatId } from '../../../lib/core/formats/reading/format'
import type { RecordedSession } from './recorded-session'

/** Writes the recorded session in one format; a format can have several writers. */
export interface FormatWriter {
  readonly format: FormatId
  /** Name below `public/samples/formats/<format>/`. */
  readonly file: string
  readonly write: (session: RecordedSession) => string | Promise<string>
  /** True if it writes every request of the session; tests compare the last one with the recording. */
  readonly isLog?: boolean
  /** Changes the recording to what the format can hold; tests compare with the changed recording. */
  readonly writes?: { readonly because: string; readonly adapt: AdaptSession }
}

export type AdaptSession = (session: RecordedSession) => RecordedSession
