/** Prepares a transcript for sharing: scans it for secrets, and packs it into a link or a session file. */
import { packText } from '@/lib/core/share/link/packed-text'
import { type LinkSettings, writeSettingsLink } from '@/lib/core/share/link/settings-link'
import { type FoundSecret, findSecrets } from '@/lib/core/share/secrets/find-secrets'
import { redactSecrets } from '@/lib/core/share/secrets/redact-secrets'
import { writeSessionFile } from '@/lib/core/share/session-file'
import { extrasOf, sessionFileOf } from '../files/session-files'
import { memoize, type PlaygroundState } from '../store'

/** A longer conversation cannot fit in a link. */
const LONGEST_TEXT = 4_000_000

const MILLISECONDS_TO_PAINT = 50

/** The scanned text, and the secrets in it. */
export type SecretScan = Readonly<Awaited<ReturnType<typeof scanForSecrets>>>

/** Scans a text for secrets. */
export async function scanForSecrets(text: string) {
  // A scan of tens of megabytes takes seconds, so let the page show its progress first.
  await new Promise((resolve) => setTimeout(resolve, MILLISECONDS_TO_PAINT))
  return { text, secrets: await findSecrets(text) }
}

/** The scanned text with its secrets redacted, except those the user wants to share. */
export function redactText({ text, secrets }: SecretScan, unredacted: ReadonlySet<string>): string {
  return redactSecrets(
    text,
    secrets.filter((secret) => !unredacted.has(secret.text)),
  )
}

/**
 * Secrets that the scan of a redacted text still finds, except those the user wants to share. A text with such secrets
 * must not be sent.
 */
export function remainingSecrets(
  { secrets }: SecretScan,
  unredacted: ReadonlySet<string>,
): readonly FoundSecret[] {
  const shared = [...unredacted]
  return secrets.filter(({ text }) => !shared.some((known) => known.includes(text)))
}

/** A text packed for a link; undefined if it is too long. */
export function packTranscript(text: string): string | undefined {
  return text.length > LONGEST_TEXT ? undefined : packText(text)
}

/** The fragment with these settings and a packed transcript. */
export function transcriptFragment(settings: LinkSettings, transcript: string): string {
  return writeSettingsLink({ ...settings, sample: undefined, transcript })
}

/** Longer sessions are scanned only on request, because most session files are not shared. */
const LONGEST_UNASKED = 5_000_000

/** True if a session is scanned without a request. */
export function isShortSession({ source }: PlaygroundState): boolean {
  return source.text.length <= LONGEST_UNASKED
}

/** The scanned part of a session: its notes as one line of JSON, then its text. */
export function sessionText(state: PlaygroundState): string {
  return notesAndText(extrasOf(state).notes, state.source.text)
}

const notesAndText = memoize((notes: string, text: string): string => {
  return `${JSON.stringify(notes)}\n${text}`
})

/**
 * The session file with notes and text redacted, except for secrets the user wants to share; undefined if a second scan
 * still finds other secrets.
 */
export async function redactedSession(state: PlaygroundState, unredacted: ReadonlySet<string>) {
  const redacted = redactText(await scanForSecrets(sessionText(state)), unredacted)
  if (remainingSecrets(await scanForSecrets(redacted), unredacted).length > 0) return undefined
  const end = redacted.indexOf('\n')
  const notes = JSON.parse(redacted.slice(0, end)) as string
  return writeSessionFile({ ...sessionFileOf(state), notes, text: redacted.slice(end + 1) })
}

/** The session file with another text and without notes, which have not been scanned. */
export function transcriptFile(state: PlaygroundState, text: string): string[] {
  return writeSessionFile({ ...sessionFileOf(state), text, notes: '' })
}
