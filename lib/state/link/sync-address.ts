/** Writes the settings into the address. A drag replaces the history entry; a choice adds one. */
import type { Playground } from '../playground'
import type { PlaygroundState } from '../store'
import { settingsFragment } from './settings-url'

/** The page's address; fragments without their `#`. */
export interface Address {
  readonly fragment: () => string
  readonly replace: (fragment: string) => void
  readonly push: (fragment: string) => void
}

/** Safari refuses more than about 50 address changes in 30 seconds. */
const MILLISECONDS_BETWEEN_WRITES = 700

/** Writes the fragment whenever settings change, with a minimum interval. */
export function syncAddress({ store }: Playground, address: Address) {
  let written = settingsFragment(store.getState())
  let hasFollowed = false
  let hasChosen = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let wroteAt = 0
  // The last fragment that was written or followed.
  let known = address.fragment()
  const follow = () => {
    known = address.fragment()
    hasFollowed = true
  }
  const flush = () => {
    timer = undefined
    // The browser went to another entry, whose settings are applied next: writing would overwrite it.
    if (address.fragment() !== known) return
    const fragment = settingsFragment(store.getState())
    // A followed link whose settings are taken back at once leaves the fragment that was written before it.
    const isNews = (hasFollowed || fragment !== written) && fragment !== known
    written = fragment
    if (isNews) {
      wroteAt = Date.now()
      if (hasChosen) address.push(fragment)
      else address.replace(fragment)
      known = address.fragment()
    }
    hasChosen = false
    hasFollowed = false
  }
  const stop = store.subscribe((state, before) => {
    hasChosen ||= isChoice(before, state)
    if (timer !== undefined || settingsFragment(state) === written) return
    timer = setTimeout(flush, Math.max(60, wroteAt + MILLISECONDS_BETWEEN_WRITES - Date.now()))
  })
  return {
    /** Call it when the browser went to another entry, before its settings are applied. */
    follow,
    /** Call it when another page of the same document is shown: its entry gets the settings in use. */
    carry: () => {
      const fragment = settingsFragment(store.getState())
      if (fragment !== address.fragment()) address.replace(fragment)
      follow()
    },
    stop: () => {
      stop()
      clearTimeout(timer)
    },
  }
}

/** True if the browser's Back should undo a change. Another view of the same output is none. */
export function isChoice(before: PlaygroundState, after: PlaygroundState): boolean {
  if (after.model !== before.model) return true
  if ((after.pinned === undefined) !== (before.pinned === undefined)) return true
  if (isOtherSample(before, after)) return true
  const isSameDocument = after.read === before.read && after.source.id === before.source.id
  if (isSameDocument && after.conversation !== before.conversation) return true
  const isStep =
    after.policy !== before.policy && after.history.past.length > before.history.past.length
  return isStep && after.history.past.at(-1)?.gesture === undefined
}

/** The first sample is opened by the page, not chosen by the user. */
function isOtherSample({ source: before }: PlaygroundState, { source }: PlaygroundState): boolean {
  if (source.origin.kind !== 'sample' || before.origin.kind === 'none') return false
  return before.origin.kind !== 'sample' || before.origin.id !== source.origin.id
}
