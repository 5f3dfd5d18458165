// The service that knows rates. Two countries are looked up in a slow place.

import { createServer } from 'node:http'

const slowCountries = { NO: 340, PT: 520 }

export function startRatesService(port, log) {
  const server = createServer((request, response) => {
    const country = request.url.split('/').at(-1)
    const started = performance.now()
    const answer = () => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ country, centsPerKilogram: 150 + country.charCodeAt(0) }))
      log.write('info', {
        path: request.url,
        status: response.destroyed ? 'gone' : 200,
        ms: (performance.now() - started).toFixed(1),
      })
    }
    setTimeout(answer, slowCountries[country] ?? 12)
  })
  return new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () => {
      log.write('info', { event: 'listening', service: 'rates' })
      resolve({
        port: server.address().port,
        close: () =>
          new Promise((closed) => {
            log.write('info', { event: 'stopping', service: 'rates' })
            server.closeAllConnections()
            server.close(closed)
          }),
      })
    })
  })
}
