/** A transcript made ready to travel: what looks like a secret in it, and the link or file it becomes. */
import { packText } from '@/lib/core/share/packed-text'
import { type FoundSecret, findSecrets } from '@/lib/core/share/secrets/find-secrets'
import { redactSecrets } from '@/lib/core/share/secrets/redact-secrets'
import { writeSessionFile } from '@/lib/core/share/session-file'
import { writeSettingsLink } from '@/lib/core/share/settings-link'
import { sessionOf } from './session'
import { linkSettingsOf } from './settings-url'
import type { PlaygroundState } from './store'

/** Chat programs cut links that are longer. */
export const CHAT_LENGTH = 2_000

/** Browsers show trouble with addresses that are longer. */
export const LARGEST_LINK = 32_000

/** No link of the largest length holds so many characters of a conversation. */
const LONGEST_TEXT = 4_000_000

const MILLISECONDS_TO_PAINT = 50

/** How a link of a length can be sent. */
export function fateOfLink(length: number): 'fits' | 'mail' | 'refused' {
  if (length > LARGEST_LINK) return 'refused'
  return length > CHAT_LENGTH ? 'mail' : 'fits'
}

export interface LookedThrough {
  /** Id of the source looked through. */
  readonly source: number
  readonly secrets: readonly FoundSecret[]
}

/** What looks like a secret in the text that was read. */
export async function lookThrough({ read }: PlaygroundState): Promise<LookedThrough | undefined> {
  if (read === undefined) return undefined
  // Tens of megabytes take seconds: what says so is to be seen first.
  await new Promise((resolve) => setTimeout(resolve, MILLISECONDS_TO_PAINT))
  return { source: read.source.id, secrets: await findSecrets(read.source.text) }
}

/** The text as it would travel, with the secrets given redacted; undefined when it is another by now. */
export function travellingText(
  { read }: PlaygroundState,
  { source }: LookedThrough,
  secrets: readonly FoundSecret[],
): string | undefined {
  return read?.source.id === source ? redactSecrets(read.source.text, secrets) : undefined
}

/** A text packed for a link; undefined for one that no link could hold. */
export function packTranscript(text: string): string | undefined {
  return text.length > LONGEST_TEXT ? undefined : packText(text)
}

/** The fragment with the settings as they are and a packed transcript. */
export function transcriptFragment(state: PlaygroundState, transcript: string): string {
  return writeSettingsLink({ ...linkSettingsOf(state), sample: undefined, transcript })
}

/** The session file with this text in the place of the page's own; notes stay here, nobody has looked through them. */
export function transcriptFile(state: PlaygroundState, text: string): string[] {
  return writeSessionFile({ ...sessionOf(state), text, notes: '' })
}
