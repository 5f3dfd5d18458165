import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  policyHeader,
  securityHeaders,
  serviceWorkerPolicy,
  writeHeadersFile,
} from './content-security-policy.mjs'

test('writes the headers of every file, and the policy of every page at each of its addresses', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'headers-'))
  const pages = {
    index: '<head></head><script>one()</script>',
    embed: '<head></head>',
    404: '<head></head>',
  }
  for (const [name, html] of Object.entries(pages))
    await writeFile(join(folder, `${name}.html`), html)
  await writeHeadersFile(folder, '/base')
  const text = await readFile(join(folder, '_headers'), 'utf8')
  await rm(folder, { recursive: true })
  const rules = Object.fromEntries(
    text
      .trim()
      .split('\n\n')
      .map((block) => {
        const [path, ...lines] = block.split('\n')
        return [path, Object.fromEntries(lines.map((line) => line.trim().split(/: (.*)/, 2)))]
      }),
  )
  const framed = { 'Content-Security-Policy': policyHeader(pages.embed, 'embed.html') }
  expect(framed['Content-Security-Policy']).toMatch(/; frame-ancestors \*$/)
  expect(policyHeader(pages.index, 'index.html')).toMatch(/; frame-ancestors 'none'$/)
  const policyOf = (html, name) => ({ 'Content-Security-Policy': policyHeader(html, name) })
  expect(rules).toEqual({
    '/base/*': securityHeaders,
    '/base/_next/static/*': { 'Cache-Control': 'public, max-age=31536000, immutable' },
    '/base/service-worker.js': { 'Content-Security-Policy': serviceWorkerPolicy },
    '/base/': policyOf(pages.index, 'index.html'),
    '/base/index.html': policyOf(pages.index, 'index.html'),
    '/base/404': policyOf(pages[404]),
    '/base/404.html': policyOf(pages[404]),
    '/base/embed': framed,
    '/base/embed.html': framed,
  })
  // Cloudflare Pages reads no longer line.
  for (const line of text.split('\n')) expect(line.length).toBeLessThan(2000)
})
