/** The page in a frame of another page. */
import { escapeMarkup } from '@/lib/core/report/escape-text'
import { writeSharedLink } from '@/lib/core/share/link/settings-link'
import type { PlaygroundState } from '../store'
import { linkSettingsOf, sharedFragment } from './settings-url'

/** In pixels; the figures take some 200 of them. */
const FRAME_HEIGHT = 640

/** HTML that shows a sample under the settings in use. `site` is its address, without a slash at the end. */
export function embedCode(state: PlaygroundState, site: string, title: string): string {
  const address = escapeMarkup(`${site}/embed#${sharedFragment(state)}`)
  return `<iframe src="${address}" title="${escapeMarkup(title)}" width="100%" height="${FRAME_HEIGHT}" style="border: 0" loading="lazy"></iframe>`
}

/** The settings of a frame as a fragment for the playground, with the transcript of the frame's own link if it has one. */
export function embeddedFragment(state: PlaygroundState, transcript: string | undefined): string {
  return writeSharedLink({ ...linkSettingsOf(state), transcript })
}
