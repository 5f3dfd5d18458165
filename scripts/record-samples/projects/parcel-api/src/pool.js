// A fixed number of database connections. Who finds none free waits in line, but not for ever.

export class PoolTimeout extends Error {
  constructor(waitedMs) {
    super(`no connection became free within ${waitedMs} ms`)
    this.name = 'PoolTimeout'
  }
}

export function createPool({ size, waitMs, reclaimMs, log }) {
  const held = new Map()
  const waiters = []
  let nextSlot = 1

  function hand(request) {
    const slot = nextSlot++
    held.set(slot, { request, since: performance.now() })
    return slot
  }

  // A connection nobody gave back is taken away after reclaimMs.
  const reaper = setInterval(() => {
    for (const [slot, { request, since }] of held) {
      const heldMs = Math.round(performance.now() - since)
      if (heldMs < reclaimMs) continue
      log.write('warn', { event: 'pool_reclaim', slot, held_by: request, held_ms: heldMs })
      release(slot)
    }
  }, 250)

  function release(slot) {
    if (!held.delete(slot)) return
    const waiter = waiters.shift()
    if (waiter !== undefined) waiter.accept(hand(waiter.request))
  }

  return {
    acquire(request) {
      if (held.size < size) return Promise.resolve(hand(request))
      return new Promise((accept, reject) => {
        const waiter = {
          request,
          accept(slot) {
            clearTimeout(timer)
            accept(slot)
          },
        }
        const timer = setTimeout(() => {
          waiters.splice(waiters.indexOf(waiter), 1)
          reject(new PoolTimeout(waitMs))
        }, waitMs)
        waiters.push(waiter)
      })
    },
    release,
    state: () => `${held.size}/${size}`,
    waiting: () => waiters.length,
    close: () => clearInterval(reaper),
  }
}
