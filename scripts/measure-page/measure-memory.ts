/** Memory of a page and its workers: what they hold, and the most that their process has had. */
import { existsSync, readFileSync } from 'node:fs'
import type { Browser, CDPSession } from '@playwright/test'

type Reply = { readonly usedSize: number; readonly backingStorageSize?: number }

/**
 * Follows the workers of a page. The function returned collects the garbage and gives the bytes that the page and its
 * workers hold, with the texts that Chrome counts apart.
 */
export async function followHeaps(client: CDPSession): Promise<() => Promise<number>> {
  const workers = new Set<string>()
  const replies = new Map<number, (reply: Reply) => void>()
  let sent = 0
  client.on('Target.attachedToTarget', ({ sessionId }) => workers.add(sessionId))
  client.on('Target.detachedFromTarget', ({ sessionId }) => workers.delete(sessionId))
  client.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result } = JSON.parse(message) as { readonly id: number; readonly result: Reply }
    replies.get(id)?.(result)
  })
  await client.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: false,
    flatten: false,
  })
  const askWorker = (sessionId: string, method: string) =>
    new Promise<Reply>((resolve, reject) => {
      const id = ++sent
      replies.set(id, resolve)
      const message = JSON.stringify({ id, method })
      client.send('Target.sendMessageToTarget', { sessionId, message }).catch(reject)
    })
  return async () => {
    const asks = [
      (method: 'HeapProfiler.collectGarbage' | 'Runtime.getHeapUsage') =>
        client.send(method) as Promise<Reply>,
      ...[...workers].map((worker) => (method: string) => askWorker(worker, method)),
    ]
    let bytes = 0
    for (const ask of asks) {
      await ask('HeapProfiler.collectGarbage')
      const { usedSize, backingStorageSize = 0 } = await ask('Runtime.getHeapUsage')
      bytes += usedSize + backingStorageSize
    }
    return bytes
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
