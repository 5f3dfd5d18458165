/** Every way out of a worker that script can take away; the page's own policy does not reach a worker. */
const WAYS_OUT = [
  'fetch',
  'fetchLater',
  'XMLHttpRequest',
  'WebSocket',
  'WebSocketStream',
  'EventSource',
  'WebTransport',
  'importScripts',
  'Worker',
  'SharedWorker',
  'caches',
  'BroadcastChannel',
] as const

/** Removes network access from a worker's global scope, prototypes included, for good. */
export function removeNetwork(scope: object): void {
  for (const name of WAYS_OUT) {
    for (
      let owner = Object.getPrototypeOf(scope);
      owner !== null;
      owner = Object.getPrototypeOf(owner)
    ) {
      if (Object.hasOwn(owner, name)) Reflect.deleteProperty(owner, name)
    }
    Reflect.deleteProperty(scope, name)
    Object.defineProperty(scope, name, { value: undefined, writable: false, configurable: false })
  }
}
