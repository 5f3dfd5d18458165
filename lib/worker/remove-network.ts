/** Every network API of a worker that script can delete. What remains, such as `import()`, only a content security policy stops. */
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
  'FontFace',
  'fonts',
  'caches',
  'BroadcastChannel',
] as const

/** Permanently removes network access from a worker's global scope and its prototypes. */
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
