/**
 * Keeps the files of the site in this browser, so that it opens without a network. `write-service-worker.mjs` bundles
 * it with their list. It answers requests for these files only, asks no other server and stores nothing of the user.
 */
import { PrecacheController } from 'workbox-precaching/PrecacheController.js'

const precache = new PrecacheController()
precache.addToCacheList(SITE_FILES)
const hashedFiles = new URL('_next/static/', self.location.href).href

self.addEventListener('install', (event) => {
  precache.install(event)
  // Browsers that have routes take these files from the cache without waiting for this worker to start.
  const { cacheName } = precache.strategy
  event.addRoutes?.({ condition: { urlPattern: '_next/static/*' }, source: { cacheName } })
})

// A new version waits until all pages of the old one are closed, or until the user wants it.
self.addEventListener('message', (event) => {
  if (event.data === 'activate') event.waitUntil(self.skipWaiting())
})

// The page of the first visit gets what it loads later from here, too.
self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), deleteOldFiles(event)]))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    event.waitUntil(Promise.all([deleteOldFiles(event), unregisterIfReplaced()]))
  }
  const address = origin + pathname
  const key = keyOf(address) ?? (address.startsWith(hashedFiles) ? address : undefined)
  if (key !== undefined) event.respondWith(answer(key, request))
})

/** Where the file of an address is stored; a page has several addresses, as on static hosts. */
function keyOf(address) {
  const candidates = [address, `${address}index.html`, `${address}/index.html`, `${address}.html`]
  return candidates.map((one) => precache.getCacheKeyForURL(one)).find((key) => key !== undefined)
}

async function answer(key, request) {
  const match = caches.open(precache.strategy.cacheName).then((cache) => cache.match(key))
  // A browser that refuses its storage still loads from the network.
  return (await match.catch(() => undefined)) ?? fetch(request)
}

/** An open page of an old version still loads files of its own, so they are deleted when the next page opens alone. */
async function deleteOldFiles(event) {
  const { installing, waiting } = self.registration
  if (installing !== null || waiting !== null) return
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (pages.length === 0) await precache.activate(event)
}

/** The address can belong to another site later, such as the next program on a port of this machine. */
async function unregisterIfReplaced() {
  const script = await fetch(self.location.href, { method: 'HEAD', cache: 'no-store' }).catch(
    () => undefined,
  )
  const isReplaced =
    script?.status === 404 || /^text\/html/.test(script?.headers.get('Content-Type') ?? '')
  if (isReplaced) await self.registration.unregister()
}
