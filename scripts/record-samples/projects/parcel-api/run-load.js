// Starts both services in processes of their own, sends 1,500 requests at 100 a second, and restarts
// the rates service once on the way. usage: node run-load.js <folder for the logs>

import { fork } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { clockTime, createLog } from './src/log.js'

const queries = [
  'ng',
  'sato',
  'okafor',
  'greta jo ng',
  'konstantin vanderberg',
  'theodor lindqvist, the old harbour',
]
let state = 90210

const [folder = 'logs', role] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const path = (name) => join(folder, name)

if (role === 'services') await runServices()
else await sendLoad()

async function runServices() {
  const { startRatesService } = await import('./src/rates-service.js')
  const { startServer } = await import('./src/server.js')
  const ratesLog = createLog(path('rates-service.log'))
  const serverLog = createLog(path('server.log'))
  let rates = await startRatesService(0, ratesLog)
  const server = await startServer({ ratesBase: `http://127.0.0.1:${rates.port}`, log: serverLog })
  process.send({ port: server.port })
  process.on('message', async (message) => {
    if (message === 'stop rates') await rates.close()
    if (message === 'start rates') rates = await startRatesService(rates.port, ratesLog)
    if (message === 'stop') {
      await server.close()
      await rates.close()
      ratesLog.flush()
      serverLog.flush()
      process.exit(0)
    }
  })
}

async function sendLoad() {
  const services = fork(process.argv[1], [folder, 'services'])
  const { port } = await new Promise((resolve) => services.once('message', resolve))
  const lines = createLog(path('client.log'))
  const entries = []
  const pending = []
  for (let index = 0; index < 1500; index++) {
    if (index === 900) services.send('stop rates')
    if (index === 1040) services.send('start rates')
    pending.push(send(`http://127.0.0.1:${port}`, nextPath(), entries))
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await Promise.all(pending)
  services.send('stop')
  await new Promise((resolve) => services.once('exit', resolve))
  const { appendFileSync } = await import('node:fs')
  lines.flush()
  appendFileSync(path('client.log'), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  const failed = entries.filter((entry) => entry.error !== undefined || entry.status >= 500)
  console.log(`${entries.length} requests, ${failed.length} failed`)
}

async function send(base, path, entries) {
  const sent = clockTime()
  const started = performance.now()
  const entry = { sent, path }
  try {
    const response = await fetch(base + path, { signal: AbortSignal.timeout(1500) })
    await response.text()
    entry.status = response.status
  } catch (error) {
    entry.error = error.cause?.code ?? error.name
  }
  entry.ms = Math.round(performance.now() - started)
  entries.push(entry)
}

function nextPath() {
  const parcel = `P${10000 + Math.floor(random() * 10020)}`
  const chance = random()
  if (chance < 0.55) return `/parcels/${parcel}`
  if (chance < 0.86) return `/quote/${parcel}`
  if (chance < 0.98) return `/search?q=${encodeURIComponent(pick(queries))}`
  return '/health'
}

function pick(list) {
  return list[Math.floor(random() * list.length)]
}

function random() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return state / 4294967296
}
