/** Memory of a page and its workers: what they hold, the most that is in use, and the most that their process has had. */
import { existsSync, readFileSync } from 'node:fs'
import type { Browser, CDPSession } from '@playwright/test'

type Method = 'HeapProfiler.collectGarbage' | 'Runtime.getHeapUsage'
type Reply = { readonly usedSize: number; readonly backingStorageSize?: number }

/**
 * Makes an engine collect garbage after each four percent of growth, and gives it little room for new objects: what is in
 * use is then hardly more than what is held. It makes the page slow, so nothing else can be measured with it.
 */
export const FREQUENT_COLLECTION = '--js-flags=--heap-growing-percent=4,--max-semi-space-size=1'

const MILLISECONDS_BETWEEN_SAMPLES = 50

interface Heaps {
  /** Collects the garbage and gives the bytes that the page and its workers hold. */
  readonly held: () => Promise<number>
  /** The function that it gives ends the samples and gives the most bytes in use at one time, garbage included. */
  readonly sample: () => () => Promise<number>
}

/** Follows the heaps of a page and its workers, with the texts that Chrome counts apart. */
export async function followHeaps(client: CDPSession): Promise<Heaps> {
  const workers = new Set<string>()
  const asked = new Map<
    number,
    { readonly worker: string; readonly resolve: (reply: Reply) => void }
  >()
  let sent = 0
  const answer = (id: number, reply: Reply) => {
    asked.get(id)?.resolve(reply)
    asked.delete(id)
  }
  client.on('Target.attachedToTarget', ({ sessionId }) => workers.add(sessionId))
  client.on('Target.detachedFromTarget', ({ sessionId }) => {
    workers.delete(sessionId)
    // A worker that ended holds nothing.
    for (const [id, { worker }] of asked) if (worker === sessionId) answer(id, { usedSize: 0 })
  })
  client.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result } = JSON.parse(message) as { readonly id: number; readonly result: Reply }
    answer(id, result)
  })
  await client.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: false,
    flatten: false,
  })
  const askWorker = (worker: string, method: Method) =>
    new Promise<Reply>((resolve) => {
      const id = ++sent
      asked.set(id, { worker, resolve })
      const message = JSON.stringify({ id, method })
      client
        .send('Target.sendMessageToTarget', { sessionId: worker, message })
        .catch(() => answer(id, { usedSize: 0 }))
    })
  const heaps = () => [
    (method: Method) => client.send(method) as Promise<Reply>,
    ...[...workers].map((worker) => (method: Method) => askWorker(worker, method)),
  ]
  const bytesOf = ({ usedSize, backingStorageSize = 0 }: Reply) => usedSize + backingStorageSize
  return {
    held: async () => {
      let bytes = 0
      for (const ask of heaps()) {
        await ask('HeapProfiler.collectGarbage')
        bytes += bytesOf(await ask('Runtime.getHeapUsage'))
      }
      return bytes
    },
    sample: () => {
      let isEnded = false
      const sampling = (async () => {
        let most = 0
        while (!isEnded) {
          const replies = await Promise.all(heaps().map((ask) => ask('Runtime.getHeapUsage')))
          most = Math.max(
            most,
            replies.reduce((sum, reply) => sum + bytesOf(reply), 0),
          )
          await new Promise((resolve) => setTimeout(resolve, MILLISECONDS_BETWEEN_SAMPLES))
        }
        return most
      })()
      return () => {
        isEnded = true
        return sampling
      }
    },
  }
}

/** The most memory that the largest renderer has had; undefined where the system does not tell it. */
export async function peakMemoryOf(browser: Browser): Promise<number | undefined> {
  const client = await browser.newBrowserCDPSession()
  const { processInfo } = await client.send('SystemInfo.getProcessInfo')
  const peaks = processInfo.flatMap(({ type, id }) => {
    const path = `/proc/${id}/status`
    if (type !== 'renderer' || !existsSync(path)) return []
    const kilobytes = /VmHWM:\s*(\d+) kB/.exec(readFileSync(path, 'utf8'))?.[1]
    return kilobytes === undefined ? [] : [Number(kilobytes) * 1024]
  })
  return peaks.length === 0 ? undefined : Math.max(...peaks)
}
