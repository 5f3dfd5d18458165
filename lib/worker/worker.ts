/** The worker's entry point. It removes every way to the network before it sees any text. */
import { type EncodingId, loadEncoding } from '@/lib/core/tokens/encoding'
import { createMessageReceiver } from './answer-messages'
import type { JobMessage, OtherMessage, WorkerMessage } from './jobs'
import { loadParquet } from './parquet-jobs'

const scope = self as unknown as {
  readonly name: string
  onmessage: ((event: { data: JobMessage | OtherMessage }) => void) | null
  postMessage: (message: WorkerMessage) => void
}

/** Code cannot be loaded without the network, so the encoding is loaded first and stays fixed. So is what reads Parquet. */
async function start() {
  const [id, also] = scope.name.split(' ')
  const encoding = await loadEncoding(id as EncodingId)
  if (also === 'parquet') await loadParquet()
  removeNetwork(self)
  return encoding
}

/** Holds a lock as long as this worker lives. The browser releases it when the worker ends, with or without an error. */
function holdLock(): void {
  // Browsers have locks on secure origins only; elsewhere the page notices that the worker is silent.
  if (navigator.locks === undefined) return
  const lock = `worker ${crypto.randomUUID()}`
  void navigator.locks.request(lock, () => {
    scope.postMessage({ lock })
    return new Promise(() => {})
  })
}

holdLock()
const receive = createMessageReceiver(start(), (message) => scope.postMessage(message))

scope.onmessage = ({ data }) => void receive(data)

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
    for (let owner = scope; owner !== null; owner = Object.getPrototypeOf(owner))
      Reflect.deleteProperty(owner, name)
    Object.defineProperty(scope, name, { value: undefined, writable: false, configurable: false })
  }
}
