import type { FormatId } from '../../../lib/core/formats/format'
import type { RecordedSession } from './recorded-session'

/** Writes the recorded session in one format; a format can have several writings. */
export interface FormatWriter {
  readonly format: FormatId
  /** Name below `public/samples/formats/<format>/`. */
  readonly file: string
  readonly write: (session: RecordedSession) => string | Promise<string>
  /** True where it writes every request of the session: the last of them is held against the recording. */
  readonly isLog?: boolean
  /** What of the recording it writes, where it cannot write all: its turns, calls and reasons are those of this. */
  readonly writes?: { readonly because: string; readonly adapt: AdaptSession }
}

export type AdaptSession = (session: RecordedSession) => RecordedSession
