import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { policyFor } from './content-security-policy.mjs'

/** Headers of every answer. */
export const securityHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

/** Of files whose name contains a hash of their content. */
export const cachedForever = 'public, max-age=31536000, immutable'

/** The page that others may show in a frame. */
const embeddedPage = 'embed.html'

export const serviceWorkerName = 'service-worker.js'

/** The service worker fetches the files of its own site and nothing else. Other files that are not pages do nothing. */
export const serviceWorkerPolicy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"

/** The policy in the page itself, and what only a header can add to it. */
export function policyHeader(html, name) {
  return `${policyFor(html, name)}; frame-ancestors ${name === embeddedPage ? '*' : "'none'"}`
}

/** Writes `_headers`, which Netlify and Cloudflare Pages read: the headers that `npm start` sends. */
export async function writeHeadersFile(folder, basePath = process.env.BASE_PATH ?? '') {
  const rules = [
    [`${basePath}/*`, securityHeaders],
    [`${basePath}/_next/static/*`, { 'Cache-Control': cachedForever }],
    [`${basePath}/${serviceWorkerName}`, { 'Content-Security-Policy': serviceWorkerPolicy }],
  ]
  const names = (await readdir(folder)).filter((name) => name.endsWith('.html'))
  for (const name of names.sort()) {
    const header = {
      'Content-Security-Policy': policyHeader(await readFile(join(folder, name), 'utf8'), name),
    }
    const bare = name.replace(/(index)?\.html$/, '')
    for (const path of new Set([bare, name])) rules.push([`${basePath}/${path}`, header])
  }
  const blocks = rules.map(([path, headers]) =>
    [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n'),
  )
  await writeFile(join(folder, '_headers'), `${blocks.join('\n\n')}\n`)
}
