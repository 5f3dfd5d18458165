import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { basename, extname, join } from 'node:path'
import { pipeline } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import {
  cachedForever,
  policyHeader,
  securityHeaders,
  serviceWorkerName,
  serviceWorkerPolicy,
} from './content-security-policy.mjs'
import { outputFolder } from './ensure-build.mjs'

const host = '127.0.0.1'
const localNames = new Set(['127.0.0.1', 'localhost', '[::1]'])
const portsTried = 50

/** In a table: `npm start` loads this file before any package is installed. */
const contentTypes = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.jsonl': 'application/jsonl; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.toml': 'application/toml; charset=utf-8',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
}

/** Types that are compressed already. */
const packedTypes = new Set(['.ico', '.png', '.woff', '.woff2'])

/** Serves a folder of static files as a plain host would: index.html, names without .html, 404.html. */
export function createStaticServer(folder = outputFolder, basePath = process.env.BASE_PATH ?? '') {
  const zipped = new Map()
  return createServer((request, response) => {
    answer(request, response, folder, basePath, zipped).catch(() => {
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })
}

/**
 * Listens on this machine only, on the port or the next free one above it.
 * Resolves with the port it got; rejects with a sentence to show if no port is free.
 */
export async function listen(server, port) {
  for (let next = port; ; next += 1) {
    try {
      await new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(next, host, () => {
          server.off('error', reject)
          resolve()
        })
      })
      return server.address().port
    } catch (error) {
      const isLast = next === 65_535 || next - port === portsTried
      if (error.code === 'EADDRINUSE' && !isLast) continue
      throw new Error(
        error.code === 'EADDRINUSE'
          ? `Ports ${port} to ${next} are all taken; name a free one with --port N.`
          : `Port ${next} cannot be opened (${error.code}); name another with --port N.`,
      )
    }
  }
}

/** Serves out/ until Ctrl+C, and prints its address. Says so if the wanted port is taken. */
export async function serveUntilStopped(port) {
  const server = createStaticServer()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      server.close()
      server.closeAllConnections()
      process.exit(0)
    })
  }
  const got = await listen(server, port)
  if (port !== 0 && got !== port) console.log(`Port ${port} is taken, so this uses ${got}.`)
  console.log(
    `Observation Masking Playground: http://${host}:${got}${process.env.BASE_PATH ?? ''}/`,
  )
  console.log('Ctrl+C stops it.')
}

async function answer(request, response, folder, basePath, zipped) {
  if (!isLocal(request)) {
    const names = [...localNames].join(', ')
    response.writeHead(403, { 'Content-Type': contentTypes['.txt'], ...securityHeaders })
    response.end(
      `This server answers requests to this machine only: the Host header must be one of ${names}, with its port.\n`,
    )
    return
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { Allow: 'GET, HEAD' }).end()
    return
  }
  const path = readPath(request.url)
  if (path === null) {
    response.writeHead(400).end()
    return
  }
  if (basePath !== '' && path === '/') {
    response.writeHead(302, { Location: `${basePath}/` }).end()
    return
  }
  // Before the first script does so, since the page at this address may not be in a frame.
  if (path === `${basePath}/` && /\?embed(=|&|$)/.test(request.url)) {
    response.writeHead(302, { Location: `${basePath}/embed` }).end()
    return
  }
  const isInside = basePath === '' || path === basePath || path.startsWith(`${basePath}/`)
  const inside = isInside ? path.slice(basePath.length) : null
  const found = inside === null ? null : await findFile(folder, inside)
  const missing = found === null ? await findFile(folder, '/404.html') : null
  const file = found ?? missing
  if (file === null) {
    response.writeHead(404).end()
    return
  }
  const isZipped = takesGzip(request) && !packedTypes.has(extname(file.path))
  const body = isZipped ? await gzipOf(file, zipped) : undefined
  response.writeHead(found === null ? 404 : 200, {
    'Content-Type': contentTypes[extname(file.path)] ?? 'application/octet-stream',
    'Content-Length': body?.length ?? file.size,
    ...(isZipped ? { 'Content-Encoding': 'gzip' } : {}),
    Vary: 'Accept-Encoding',
    'Cache-Control': inside?.startsWith('/_next/static/') ? cachedForever : 'no-cache',
    'Content-Security-Policy': await policyOf(file.path, folder),
    ...securityHeaders,
  })
  if (request.method === 'HEAD') response.end()
  else if (body !== undefined) response.end(body)
  else pipeline(createReadStream(file.path), response, () => {})
}

function takesGzip({ headers }) {
  return /(?:^|,)\s*gzip\s*(?:,|$)/.test(headers['accept-encoding'] ?? '')
}

/** The compressed file. Each is compressed once; a build that replaces it changes its time. */
async function gzipOf({ path, size, time }, zipped) {
  const known = zipped.get(path)
  if (known?.size === size && known.time === time) return known.body
  const body = await promisify(gzip)(await readFile(path))
  zipped.set(path, { size, time, body })
  return body
}

/** False for another site's name that resolves to this machine (DNS rebinding): that site would share the page's origin. */
function isLocal({ headers, socket }) {
  const [, name, port = '80'] = /^(.*?)(?::(\d+))?$/.exec(headers.host ?? '')
  return localNames.has(name.toLowerCase()) && Number(port) === socket.localPort
}

/** Files that are neither a page nor the service worker may do nothing. */
async function policyOf(path, folder) {
  if (path === join(folder, serviceWorkerName)) return serviceWorkerPolicy
  if (extname(path) === '.html') return policyHeader(await readFile(path, 'utf8'), basename(path))
  return "default-src 'none'; frame-ancestors 'none'"
}

/** The decoded path without query; null if it is malformed. */
function readPath(url = '/') {
  try {
    const path = decodeURIComponent(url.split(/[?#]/, 1)[0])
    return path.startsWith('/') && !/[\0\\]/.test(path) ? path : null
  } catch {
    return null
  }
}

async function findFile(folder, path) {
  // No segment may begin with a dot: neither "..", nor a hidden file.
  if (path.split('/').some((segment) => segment.startsWith('.'))) return null
  for (const candidate of [path, `${path}/index.html`, `${path.replace(/\/$/, '')}.html`]) {
    const full = join(folder, candidate)
    const status = await stat(full).catch(() => null)
    if (status?.isFile()) return { path: full, size: status.size, time: status.mtimeMs }
  }
  return null
}

const defaultPort = 3000

/** The error for an invalid port; its message is one sentence to show. */
export class PortError extends Error {}

/** The port from `--port N`, `--port=N` or PORT, 3000 otherwise; 0 stands for any free one. */
export function readPort(args, env) {
  let text = env.PORT
  let source = 'PORT'
  for (let position = 0; position < args.length; position += 1) {
    const argument = args[position]
    if (argument === '--port') {
      position += 1
      text = args[position] ?? ''
    } else if (argument.startsWith('--port=')) {
      text = argument.slice('--port='.length)
    } else if (/^\d+$/.test(argument)) {
      // What is left of `npm start --port 4000`: npm takes an option before `--` for its own.
      text = argument
    } else {
      throw new PortError(
        `"${argument}" is not an option here; the only one is --port N (npm start -- --port N).`,
      )
    }
    source = '--port'
  }
  if (text === undefined || (text === '' && source === 'PORT')) return defaultPort
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new PortError(`${source} is "${text}"; a port is a whole number from 0 to 65535.`)
  }
  return Number(text)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await serveUntilStopped(readPort(process.argv.slice(2), process.env))
  } catch (error) {
    console.error(error.message)
    process.exit(error instanceof PortError ? 2 : 1)
  }
}
