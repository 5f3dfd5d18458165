/**
 * Runs before any other script of a built page. Its source is inlined, so it may use nothing from outside itself.
 *
 * - Removes WebRTC, which the content security policies of browsers do not restrict.
 * - Starts every worker from a `blob:` URL, and lets no script reach the browser's own constructor. Such a worker
 *   inherits the page's content security policy; a worker started from an `http:` URL has only the policy in its own
 *   response headers, and a static host sends none. The workers themselves can start no others.
 * - Opens the page `embed` for an address that ends in `?embed`.
 */
export function firstScript(scope) {
  const { search, hash } = scope.location
  if (/^\?embed(=|&|$)/.test(search)) scope.location.replace(`embed${hash}`)

  for (const name of Object.getOwnPropertyNames(scope)) {
    if (/^(webkit|moz)?RTC/.test(name)) delete scope[name]
  }

  // Runs in the worker, in place of the script at `address`.
  const load = (address) => {
    delete self.Worker
    const { importScripts } = self
    const resolve = (url) => new URL(url, address).href
    Object.defineProperty(self, 'location', { value: new URL(address) })
    self.importScripts = (...urls) => importScripts.apply(self, urls.map(resolve))
    self.importScripts(address)
  }

  const blobUrls = new Map()
  const blobUrlOf = (address) => {
    if (!blobUrls.has(address)) {
      const source = `(${load})(${JSON.stringify(address)})`
      const blob = new Blob([source], { type: 'text/javascript' })
      blobUrls.set(address, URL.createObjectURL(blob))
    }
    return blobUrls.get(address)
  }

  const { Worker: BrowserWorker } = scope
  scope.Worker = function Worker(url, options) {
    const { href, protocol } = new URL(url, scope.location.href)
    return new BrowserWorker(protocol === 'blob:' ? href : blobUrlOf(href), options)
  }
  scope.Worker.prototype = BrowserWorker.prototype
  BrowserWorker.prototype.constructor = scope.Worker
  delete scope.SharedWorker
}
