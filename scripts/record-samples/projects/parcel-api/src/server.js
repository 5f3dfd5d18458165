// Routes: /parcels/<id>, /search?q=, /quote/<id>, /health. Each request ends in one log line.

import { createServer } from 'node:http'
import { parcelsById } from './parcels.js'
import { createPool, PoolTimeout } from './pool.js'
import { fetchRate } from './rates-client.js'
import { searchParcels } from './search.js'

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

export function startServer({ ratesBase, log }) {
  const pool = createPool({ size: 12, waitMs: 700, reclaimMs: 3000, log })
  let count = 0

  async function lookUp(id) {
    await wait(4)
    return parcelsById.get(id)
  }

  async function showParcel(request, id) {
    const slot = await pool.acquire(request)
    try {
      const parcel = await lookUp(id)
      return parcel === undefined ? [404, { error: `no parcel ${id}` }] : [200, parcel]
    } finally {
      pool.release(slot)
    }
  }

  async function quote(request, id) {
    const slot = await pool.acquire(request)
    const parcel = await lookUp(id)
    if (parcel === undefined) {
      pool.release(slot)
      return [404, { error: `no parcel ${id}` }]
    }
    const rate = await fetchRate(ratesBase, parcel.country, 400)
    pool.release(slot)
    return [200, { id, cents: Math.ceil((parcel.grams / 1000) * rate) }]
  }

  async function route(request, url) {
    const [, kind, id] = url.pathname.split('/')
    if (kind === 'parcels') return showParcel(request, id)
    if (kind === 'quote') return quote(request, id)
    if (kind === 'search') return [200, searchParcels(url.searchParams.get('q') ?? '')]
    if (kind === 'health') return [200, { pool: pool.state() }]
    return [404, { error: 'no such route' }]
  }

  const server = createServer(async (incoming, response) => {
    const request = `r${String(++count).padStart(5, '0')}`
    const started = performance.now()
    const url = new URL(incoming.url, 'http://localhost')
    let status = 500
    let body = {}
    let reason
    try {
      ;[status, body] = await route(request, url)
    } catch (error) {
      reason = error.cause?.message ?? error.message
      if (error instanceof PoolTimeout) status = 503
      else if (error.name === 'TimeoutError') status = 504
      else status = 502
      body = { error: reason }
    }
    const isGone = response.destroyed
    const text = JSON.stringify(body)
    response.statusCode = status
    response.setHeader('content-type', 'application/json')
    response.end(text)
    log.write(status >= 500 ? 'error' : 'info', {
      req: request,
      method: incoming.method,
      path: decodeURIComponent(incoming.url),
      status: isGone ? 499 : status,
      ms: (performance.now() - started).toFixed(1),
      pool: pool.state(),
      waiting: pool.waiting(),
      bytes: text.length,
      ...(reason === undefined ? {} : { reason }),
    })
  })

  let expected = performance.now() + 100
  const lagTimer = setInterval(() => {
    const lagMs = performance.now() - expected
    expected = performance.now() + 100
    if (lagMs > 40) log.write('warn', { event: 'loop_lag', ms: lagMs.toFixed(0) })
  }, 100)

  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      log.write('info', { event: 'listening', service: 'parcel-api', pool: pool.state() })
      resolve({
        port: server.address().port,
        close: () =>
          new Promise((closed) => {
            clearInterval(lagTimer)
            pool.close()
            log.write('info', { event: 'stopping', service: 'parcel-api', requests: count })
            server.closeAllConnections()
            server.close(closed)
          }),
      })
    })
  })
}
