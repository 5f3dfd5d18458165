import { useCallback, useEffect, useRef } from 'react'
import { readEarlierView } from '@/lib/state/document/output-view'
import { followLink, startPlayground } from '@/lib/state/link/settings-url'
import { syncAddress } from '@/lib/state/link/sync-address'
import { syncStored } from '@/lib/state/sync-stored'
import { useDrafts } from '../drafts/drafts-context'
import { usePlayground } from '../playground-context'
import { useWindowEvents } from '../use-events'
import { fetchText } from './fetch-text'

/** Starts the page once, then synchronises the address and the stored settings. Returns what to call after a navigation. */
export function useStart(): () => void {
  const playground = usePlayground()
  const drafts = useDrafts()
  const hasStarted = useRef(false)
  const sync = useRef<ReturnType<typeof syncAddress>>(undefined)
  const arrive = useCallback(() => {
    rememberState()
    sync.current?.carry()
  }, [])
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
    rememberState()
    const write = (method: 'replaceState' | 'pushState') => (fragment: string) => {
      drafts.rememberAddress(fragment)
      const page = location.pathname + location.search
      history[method](rememberState(), '', fragment === '' ? page : `${page}#${fragment}`)
    }
    const fragment = () => location.hash.slice(1)
    const address = { fragment, replace: write('replaceState'), push: write('pushState') }
    const addressSync = syncAddress(playground, address)
    sync.current = addressSync
    return () => {
      addressSync.stop()
      stopSaving()
    }
  }, [playground, drafts])
  useWindowEvents({
    hashchange: ({ oldURL, newURL }) => {
      // Back and forward between pages change no setting.
      if (oldURL.split('#')[0] !== newURL.split('#')[0]) return
      drafts.rememberAddress(location.hash)
      // The entry of an opened link has no state. With one, going back to it does not open the link again.
      const isOwnEntry = history.state !== null
      if (!isOwnEntry) history.replaceState(rememberState(), '', location.href)
      sync.current?.follow()
      void followLink(playground, location.hash, fetchText, isOwnEntry)
    },
  })
  return arrive
}

/** The state of the last entry that had one. The router reloads the page at an entry that lacks its part of the state. */
let lastState: object = {}

function rememberState(): object {
  lastState = history.state ?? lastState
  return lastState
}
