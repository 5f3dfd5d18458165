import { useEffect } from 'react'
import { usePlayground } from '../playground-context'
import { isBesideAgent } from '../watch/is-beside-agent'

const SCRIPT = `${process.env.NEXT_PUBLIC_BASE_PATH ?? ''}/service-worker.js`

/**
 * A request of another page at the wrong moment keeps Chromium from switching versions until 30 s without requests.
 * Opening a page makes it try again.
 */
const LONGEST_WAIT_MS = 2_000

/** Stores the files of the site in this browser, and says when a new version of them waits. */
export function useOffline(): void {
  const { actions } = usePlayground()
  useEffect(() => {
    // Beside an agent, another program may have the address tomorrow.
    if (process.env.NODE_ENV !== 'production' || isBesideAgent()) return
    void storeSite(() => actions.notify('new_version')).finally(forbidWorkerAddresses)
  }, [actions])
}

/** Loads the new version. The page gets its new scripts at once; other open pages keep theirs. */
export async function loadNewVersion(): Promise<void> {
  const { serviceWorker } = navigator
  const waiting = (await serviceWorker.getRegistration())?.waiting
  if (waiting) {
    const isActive = new Promise((resolve) => {
      serviceWorker.addEventListener('controllerchange', resolve, { once: true })
      setTimeout(resolve, LONGEST_WAIT_MS)
    })
    waiting.postMessage('activate')
    await isActive
  }
  location.reload()
}

async function storeSite(onNewVersion: () => void): Promise<void> {
  try {
    // Absent on addresses without https, and in private windows of some browsers.
    if (navigator.serviceWorker === undefined) return
    const registration = await navigator.serviceWorker.register(SCRIPT, { updateViaCache: 'none' })
    const check = () => {
      if (registration.waiting && navigator.serviceWorker.controller) onNewVersion()
    }
    const follow = () => registration.installing?.addEventListener('statechange', check)
    registration.addEventListener('updatefound', follow)
    follow()
    check()
  } catch {
    // Storage is full or not allowed: the site works as before, with a network.
  }
}

/** The service worker is the only one with an address, so a second policy refuses others from here on. */
function forbidWorkerAddresses(): void {
  const policy = document.createElement('meta')
  policy.httpEquiv = 'Content-Security-Policy'
  policy.content = 'worker-src blob:'
  document.head.append(policy)
}
