import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { readEarlierView } from '@/lib/state/document/output-view'
import { followLink, startPlayground } from '@/lib/state/link/start-playground'
import { syncAddress } from '@/lib/state/link/sync-address'
import { syncStored } from '@/lib/state/sync-stored'
import { useDrafts } from '../drafts/drafts-context'
import { usePlayground } from '../playground-context'
import { fetchText } from './fetch-text'

/** Starts the page once, then synchronises the address and the stored settings. */
export function useStart(): void {
  const playground = usePlayground()
  const drafts = useDrafts()
  const hasStarted = useRef(false)
  const page = usePathname()
  const shownPage = useRef(page)
  const sync = useRef<ReturnType<typeof syncAddress>>(undefined)
  useEffect(() => {
    if (shownPage.current === page) return
    shownPage.current = page
    markAsOwnEntry()
    sync.current?.carry()
  }, [page])
  useEffect(() => {
    const stopSaving = syncStored(
      playground.store,
      () => localStorage,
      () => playground.actions.notify('settings_refused', {}, 'error'),
    )
    playground.store.setState({ earlierView: readEarlierView(() => localStorage) })
    if (!hasStarted.current)
      void startPlayground(playground, location.hash, fetchText, drafts.start)
    hasStarted.current = true
    markAsOwnEntry()
    const addressSync = syncAddress(playground, {
      fragment: () => location.hash.slice(1),
      replace: (fragment) => {
        drafts.rememberAddress(fragment)
        history.replaceState(ownEntry(), '', addressOf(fragment))
      },
      push: (fragment) => {
        drafts.rememberAddress(fragment)
        history.pushState(ownEntry(), '', addressOf(fragment))
      },
    })
    sync.current = addressSync
    const openLink = () => {
      // Back and forward between pages change no setting.
      if (!location.pathname.endsWith(shownPage.current)) return
      drafts.rememberAddress(location.hash)
      const isOwnEntry = Boolean(history.state?.isOfPlayground)
      markAsOwnEntry()
      addressSync.follow()
      void followLink(playground, location.hash, fetchText, isOwnEntry)
    }
    addEventListener('hashchange', openLink)
    return () => {
      addressSync.stop()
      stopSaving()
      removeEventListener('hashchange', openLink)
    }
  }, [playground, drafts])
}

/** The state of the last entry that had one. The router reloads the page at an entry that lacks its part of the state. */
let lastState: object = {}

/** Marks history entries written by this page; others are opened links, which have no state. */
function ownEntry(): object {
  lastState = history.state ?? lastState
  return { ...lastState, isOfPlayground: true }
}

/** Going back to the current entry does not open its link again. */
function markAsOwnEntry(): void {
  if (!history.state?.isOfPlayground) history.replaceState(ownEntry(), '', location.href)
}

function addressOf(fragment: string): string {
  const address = `${location.pathname}${location.search}`
  return fragment === '' ? address : `${address}#${fragment}`
}
