/** A transcript made ready to travel: what looks like a secret in it, and the link or file it becomes. */
import { packText } from '@/lib/core/share/packed-text'
import { type FoundSecret, findSecrets } from '@/lib/core/share/secrets/find-secrets'
import { redactSecrets } from '@/lib/core/share/secrets/redact-secrets'
import { writeSessionFile } from '@/lib/core/share/session-file'
import { writeSettingsLink } from '@/lib/core/share/settings-link'
import { remembered } from './remembered'
import { extrasOf, sessionOf } from './session'
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
  /** The text looked through. */
  readonly text: string
  readonly secrets: readonly FoundSecret[]
}

/** What looks like a secret in a text. */
export async function lookThrough(text: string): Promise<LookedThrough> {
  // Tens of megabytes take seconds: what says so is to be seen first.
  await new Promise((resolve) => setTimeout(resolve, MILLISECONDS_TO_PAINT))
  return { text, secrets: await findSecrets(text) }
}

/** The text looked through with its secrets redacted, but for those that are to go as they are. */
export function travellingText(
  { text, secrets }: LookedThrough,
  unredacted: ReadonlySet<string>,
): string {
  return redactSecrets(
    text,
    secrets.filter((secret) => !unredacted.has(secret.text)),
  )
}

/** A text packed for a link; undefined for one that no link could hold. */
export function packTranscript(text: string): string | undefined {
  return text.length > LONGEST_TEXT ? undefined : packText(text)
}

/** The fragment with the settings as they are and a packed transcript. */
export function transcriptFragment(state: PlaygroundState, transcript: string): string {
  return writeSettingsLink({ ...linkSettingsOf(state), sample: undefined, transcript })
}

/** Looking through is done unasked up to here: a session file is often saved, and seldom sent. */
const LONGEST_UNASKED = 5_000_000

/** Whether a session is looked through without being asked to. */
export function isShortSession({ source }: PlaygroundState): boolean {
  return source.text.length <= LONGEST_UNASKED
}

/** What of a session is looked through: its notes as one line of JSON, then its text. */
export function sessionText(state: PlaygroundState): string {
  return notesAndText(extrasOf(state).notes, state.source.text)
}

const notesAndText = remembered((notes: string, text: string): string => {
  return `${JSON.stringify(notes)}\n${text}`
})

/** The session file, notes and text looked through and redacted but for those secrets that are to go as they are. */
export async function redactedSession(
  state: PlaygroundState,
  unredacted: ReadonlySet<string>,
): Promise<string[]> {
  const travelling = travellingText(await lookThrough(sessionText(state)), unredacted)
  const end = travelling.indexOf('\n')
  const notes = JSON.parse(travelling.slice(0, end)) as string
  return writeSessionFile({ ...sessionOf(state), notes, text: travelling.slice(end + 1) })
}

/** The session file with this text in the place of the page's own; notes stay here, nobody has looked through them. */
export function transcriptFile(state: PlaygroundState, text: string): string[] {
  return writeSessionFile({ ...sessionOf(state), text, notes: '' })
}
