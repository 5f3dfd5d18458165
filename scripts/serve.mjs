import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { outputFolder } from './ensure-build.mjs'
import { headersOf, siteRoutes } from './site-routes.mjs'

const host = '127.0.0.1'
const localNames = ['127.0.0.1', 'localhost', '[::1]']
const portsTried = 50

/** Serves a folder of static files as a plain host would: index.html, names without .html, 404.html. */
export function createStaticServer(root = outputFolder, basePath = process.env.BASE_PATH ?? '') {
  const site = new Hono()
  site.use((context, next) => {
    if (!isLocal(context.env.incoming)) {
      const names = localNames.join(', ')
      return context.text(
        `This server answers requests to this machine only: the Host header must be one of ${names}, with its port.\n`,
        403,
      )
    }
    const isRead = ['GET', 'HEAD'].includes(context.req.method)
    return isRead ? next() : context.body(null, 405, { Allow: 'GET, HEAD' })
  })
  site.route('/', siteRoutes(root, basePath))
  site.notFound(async (context) => {
    const file = join(root, '404.html')
    const text = await readFile(file, 'utf8')
    return context.html(text, 404, await headersOf(file, root))
  })
  return createServer(getRequestListener(site.fetch))
}

/**
 * Listens on this machine only, on the port or the next free one above it.
 * Resolves with the port it got; rejects with a sentence to show if no port is free.
 */
export async function listen(server, port) {
  for (let next = port; ; next += 1) {
    try {
      await once(server.listen(next, host), 'listening')
      return server.address().port
    } catch ({ code }) {
      if (code === 'EADDRINUSE' && next < Math.min(port + portsTried, 65_535)) continue
      throw new Error(`Port ${next} cannot be opened (${code}); name another with --port N.`)
    }
  }
}

/** Serves out/ until Ctrl+C, and prints its address. Says so if the wanted port is taken. */
export async function serveUntilStopped(port) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(0))
  const got = await listen(createStaticServer(), port)
  if (port !== 0 && got !== port) console.log(`Port ${port} is taken, so this uses ${got}.`)
  console.log(
    `Observation Masking Playground: http://${host}:${got}${process.env.BASE_PATH ?? ''}/`,
  )
  console.log('Ctrl+C stops it.')
}

/** False for another site's name that resolves to this machine (DNS rebinding): that site would share the page's origin. */
function isLocal({ headers, socket }) {
  const [, name, port = '80'] = /^(.*?)(?::(\d+))?$/.exec(headers.host ?? '')
  return localNames.includes(name.toLowerCase()) && Number(port) === socket.localPort
}

/** The port from `--port N`, `--port=N` or PORT, 3000 otherwise; 0 stands for any free one. */
export function readPort(args, env) {
  // npm takes an option before `--` for its own, and leaves the number of `npm start --port 4000`.
  const given = args.join(' ').replace(/^--port( |=|$)/, '')
  if (given.startsWith('--')) {
    throw new Error(
      `"${given}" is not an option here; the only one is --port N (npm start -- --port N).`,
    )
  }
  const [source, text] = args.length > 0 ? ['--port', given] : ['PORT', env.PORT || '3000']
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new Error(`${source} is "${text}"; a port is a whole number from 0 to 65535.`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await serveUntilStopped(readPort(process.argv.slice(2), process.env))
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
