/** The files of the built site as routes, with their headers; for the server of the site and for the proxy beside it. */
import { readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import {
  cachedForever,
  policyHeader,
  securityHeaders,
  serviceWorkerName,
  serviceWorkerPolicy,
} from './content-security-policy.mjs'

/** What is not a file of the folder is left to other routes. */
export function siteRoutes(root, basePath = '') {
  const site = new Hono()
  const files = (rewrite) =>
    serveStatic({
      root,
      rewriteRequestPath: (path) => rewrite(path.slice(basePath.length)),
      onFound: (path, context) => context.set('file', path),
    })
  site.use(async (context, next) => {
    await next()
    const file = context.get('file')
    if (file === undefined) return
    for (const [name, value] of Object.entries(await headersOf(file, root)))
      context.header(name, value)
  })
  if (basePath !== '') site.get('/', (context) => context.redirect(`${basePath}/`))
  // Before the first script does so, since the page at this address may not be in a frame.
  site.get(`${basePath}/`, (context, next) =>
    context.req.query('embed') === undefined ? next() : context.redirect(`${basePath}/embed`),
  )
  // Neither hidden files nor the folder above.
  site.get('*', (context, next) => (context.req.path.includes('/.') ? context.notFound() : next()))
  site.get(
    `${basePath}/*`,
    files((path) => path),
    files((path) => `${path.replace(/\/$/, '')}.html`),
  )
  return site
}

/** The headers of an answer with a file. */
export async function headersOf(file, root) {
  const isHashed = file.startsWith(join(root, '_next/static/'))
  return {
    ...securityHeaders,
    'Cache-Control': isHashed ? cachedForever : 'no-cache',
    'Content-Security-Policy': await policyOf(file, root),
  }
}

/** Files that are neither a page nor the service worker may do nothing. */
async function policyOf(path, root) {
  if (path === join(root, serviceWorkerName)) return serviceWorkerPolicy
  if (extname(path) === '.html') return policyHeader(await readFile(path, 'utf8'), basename(path))
  return "default-src 'none'; frame-ancestors 'none'"
}
