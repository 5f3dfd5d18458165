import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { firstScript } from './first-script.mjs'

// As HTML reads it: attributes may hold a quoted ">", and the text ends at "</script" and a delimiter.
const scriptElement = /<script((?:[^>"']|"[^"]*"|'[^']*')*)>([\s\S]*?)<\/script(?=[\s/>])/gi
const policyElement = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"[^>]*>/i
const firstElement = `<script>(${firstScript})(self)</script>`

/** Puts the policy into every page below the folder; resolves with the number of pages. */
export async function addContentSecurityPolicy(folder) {
  const names = await readdir(folder, { recursive: true })
  const pages = names.filter((name) => name.endsWith('.html'))
  for (const page of pages) {
    const path = join(folder, page)
    await writeFile(path, withPolicy(await readFile(path, 'utf8'), page))
  }
  return pages.length
}

/**
 * Returns the page with its policy and then the first script at the start of head. Only the charset
 * is before them, because browsers look for it in the first 1,024 bytes only. A second call gives
 * the same page.
 */
export function withPolicy(html, name) {
  const bare = html.replace(policyElement, '').replaceAll(firstElement, '')
  const head = /<head(?:\s[^>]*)?>(?:\s*<meta charset="[^"]*"\s*\/?>)?/i.exec(bare)
  if (head === null) throw new Error('A page without <head> cannot carry a policy.')
  const end = head.index + head[0].length
  const page = bare.slice(0, end) + firstElement + bare.slice(end)
  const element = `<meta http-equiv="Content-Security-Policy" content="${policyFor(page, name)}"/>`
  return page.slice(0, end) + element + page.slice(end)
}

const isPlaygroundPage = (name) =>
  readdirSync(new URL('../app/(playground)/', import.meta.url), { withFileTypes: true }).some(
    (entry) => name === (entry.isDirectory() ? `${entry.name}.html` : 'index.html'),
  )

/**
 * Allows no foreign origin; inline scripts by hash; workers from `blob:` URLs only, which inherit this policy. The pages
 * that register the service worker also allow the site's own addresses. Monaco sets styles inline.
 */
export function policyFor(html, name) {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...inlineScriptHashes(html)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    isPlaygroundPage(name) ? "worker-src 'self' blob:" : 'worker-src blob:',
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** Sources with `src` fall under 'self'. */
function inlineScriptHashes(html) {
  const hashes = new Set()
  for (const [, attributes = '', text = ''] of html.matchAll(scriptElement)) {
    if (/\ssrc\s*=/i.test(attributes)) continue
    // The browser hashes the text as parsed, where every line end is a line feed.
    const parsed = text.replace(/\r\n?/g, '\n')
    hashes.add(`'sha256-${createHash('sha256').update(parsed).digest('base64')}'`)
  }
  return hashes
}

/** Headers of every answer. */
export const securityHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

/** Of files that are there and whose name contains a hash of their content. */
export const cachedForever = 'public, max-age=31536000, immutable'

/** The page that others may show in a frame. */
const embeddedPage = 'embed.html'

export const serviceWorkerName = 'service-worker.js'

/** The service worker fetches the files of its own site and nothing else. Other files that are not pages do nothing. */
export const serviceWorkerPolicy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"

/** The policy in the page itself, and what only a header can add to it. */
export function policyHeader(html, name) {
  const [, own = policyFor(html, name)] = policyElement.exec(html) ?? []
  return `${own}; frame-ancestors ${name === embeddedPage ? '*' : "'none'"}`
}

/**
 * Writes `_headers`, which Netlify and Cloudflare Pages read: the headers that `npm start` sends. None says how long a file is
 * kept: their rules are by path, so a file that is missing for a moment would be missing for as long.
 */
export async function writeHeadersFile(folder, basePath = process.env.BASE_PATH ?? '') {
  const rules = [
    [`${basePath}/*`, securityHeaders],
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
