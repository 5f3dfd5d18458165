import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  addContentSecurityPolicy,
  policyFor,
  policyHeader,
  securityHeaders,
  serviceWorkerPolicy,
  withPolicy,
  writeHeadersFile,
} from './content-security-policy.mjs'
import { firstScript } from './first-script.mjs'

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const page = (head, body = '') =>
  `<!DOCTYPE html><html lang="en"><head><meta charSet="utf-8"/>${head}</head><body>${body}</body></html>`
const scriptSources = (html) => /script-src ([^;]*)/.exec(policyFor(html))[1].split(' ')

describe('policyFor', () => {
  test('names no foreign origin and shuts what the page does not use', () => {
    expect(policyFor(page(''))).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'",
    )
  })

  test('the page that registers the service worker may have one from the site', () => {
    expect(policyFor(page(''), 'index.html')).toContain("; worker-src 'self' blob:;")
    expect(policyFor(page(''), 'help.html')).toContain('; worker-src blob:;')
    expect(policyFor(page(''), 'tools.html')).toContain("; worker-src 'self' blob:;")
  })

  test.each([
    [
      'each inline script once',
      '<script>a()</script><script id="a">b()</script><script>a()</script>',
      'a()',
      'b()',
    ],
    [
      'no script with a source',
      '<script src="/a.js" async=""></script><script async src=/b.js></script>',
    ],
    ['a data-src, which is no source', '<script data-src="/a.js">x</script>', 'x'],
    [
      'modules and import maps',
      `<script type="module">m()</script><script type="importmap">{}</script><script type=text/javascript>t()</script>`,
      'm()',
      '{}',
      't()',
    ],
    [
      'scripts that end where they do in HTML',
      '<script>a("</scripty>", "<\\/script>")</script ><script>b()</SCRIPT>',
      'a("</scripty>", "<\\/script>")',
      'b()',
    ],
    ['a quoted ">" as part of the attribute', '<script data-a="x>y">z()</script>', 'z()'],
    ['line ends and accents as the browser does', '<script>é\r\nb</script>', 'é\nb'],
  ])('hashes %s', (_, head, ...texts) => {
    expect(scriptSources(page(head))).toEqual(["'self'", ...texts.map(hashOf)])
  })
})

describe('withPolicy', () => {
  test('puts the policy and the first script before everything in head but the charset', () => {
    const html = withPolicy(page('<link rel="preload" href="/a.js"/>'))
    expect(html).toMatch(
      /<head><meta charSet="utf-8"\/><meta http-equiv="Content-Security-Policy" content="[^"]*"\/><script>\(function firstScript.*?<\/script><link/s,
    )
    expect(withPolicy('<head lang="en"><title>x</title></head>')).toMatch(
      /^<head lang="en"><meta http-equiv/,
    )
  })

  test('done again on a page whose script has changed is the same as done once', () => {
    const changed = withPolicy(page('<script>a()</script>')).replace('a()', 'b()')
    expect(withPolicy(changed)).toBe(withPolicy(page('<script>b()</script>')))
  })

  test('does not take <header> for head', () => {
    expect(() => withPolicy('<header></header>')).toThrow('without <head>')
  })
})

test('every page of a folder gets its own policy, as headers at each of its addresses too; every file gets its headers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'headers-'))
  const bare = { index: page('<script>a()</script>'), embed: page(''), 404: page('') }
  for (const [name, html] of Object.entries(bare))
    await writeFile(join(folder, `${name}.html`), html)
  await writeFile(join(folder, 'notes.txt'), '<head>')
  expect(await addContentSecurityPolicy(folder)).toBe(3)
  expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('<head>')
  const pages = {}
  for (const [name, html] of Object.entries(bare)) {
    pages[name] = await readFile(join(folder, `${name}.html`), 'utf8')
    expect(pages[name]).toBe(withPolicy(html, `${name}.html`))
  }
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
    '/base/service-worker.js': { 'Content-Security-Policy': serviceWorkerPolicy },
    '/base/': policyOf(pages.index, 'index.html'),
    '/base/index.html': policyOf(pages.index, 'index.html'),
    '/base/404': policyOf(pages[404]),
    '/base/404.html': policyOf(pages[404]),
    '/base/embed': framed,
    '/base/embed.html': framed,
  })
  // Hosts send a rule by path for a missing file too, which would be cached as missing.
  expect(text).not.toMatch(/cache-control/i)
  // Cloudflare Pages reads no longer line.
  for (const line of text.split('\n')) expect(line.length).toBeLessThan(2000)
})

/** A page's global scope in which the first script has run, and the addresses that its workers were started from. */
function scopeAfterFirstScript(search = '') {
  const started = []
  const opened = []
  const scope = {
    Worker: class {
      constructor(url, options) {
        started.push({ url, options })
      }
    },
    SharedWorker: class {},
    RTCPeerConnection: class {},
    webkitRTCPeerConnection: class {},
    location: {
      href: 'https://host.example/base/',
      search,
      hash: '#v=2',
      replace: (address) => opened.push(address),
    },
  }
  firstScript(scope)
  return { scope, started, opened }
}

describe('firstScript', () => {
  test('removes WebRTC and shared workers', () => {
    const { scope } = scopeAfterFirstScript()
    expect(Object.keys(scope)).toEqual(['Worker', 'location'])
  })

  test('opens the page for frames at ?embed, with the settings of the address', () => {
    const openedBy = (search) => scopeAfterFirstScript(search).opened
    expect(openedBy('?embed')).toEqual(['embed#v=2'])
    expect(openedBy('?embed=1&utm_source=a')).toEqual(['embed#v=2'])
    expect(openedBy('')).toEqual([])
    expect(openedBy('?embedded')).toEqual([])
  })

  test('starts a worker from a blob: URL that loads its script, with the same options', async () => {
    const { scope, started } = scopeAfterFirstScript()
    new scope.Worker('worker.js#params', { name: 'o200k_base' })
    const [{ url, options }] = started
    expect(options).toEqual({ name: 'o200k_base' })
    expect(url).toMatch(/^blob:/)

    const loaded = []
    const worker = { importScripts: (...urls) => loaded.push(...urls), Worker: class {} }
    new Function('self', await (await fetch(url)).text())(worker)
    expect(worker.Worker).toBeUndefined()
    worker.importScripts('/chunk.js', 'other.js')
    expect(worker.location.href).toBe('https://host.example/base/worker.js#params')
    expect(loaded).toEqual([
      'https://host.example/base/worker.js#params',
      'https://host.example/chunk.js',
      'https://host.example/base/other.js',
    ])
  })

  test('hides the constructor of the browser', () => {
    const { scope } = scopeAfterFirstScript()
    const worker = new scope.Worker('a.js')
    expect(worker).toBeInstanceOf(scope.Worker)
    expect(worker.constructor).toBe(scope.Worker)
    expect(Object.getPrototypeOf(scope.Worker)).toBe(Function.prototype)
  })

  test('starts all workers of a script from one blob: URL, and those of a blob: URL from itself', () => {
    const { scope, started } = scopeAfterFirstScript()
    for (const url of ['a.js', new URL('https://host.example/base/a.js'), 'b.js', 'blob:x'])
      new scope.Worker(url)
    const [first, second, third, fourth] = started.map(({ url }) => url)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
    expect(fourth).toBe('blob:x')
  })
})
