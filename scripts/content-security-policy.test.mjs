import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addContentSecurityPolicy, policyFor, withPolicy } from './content-security-policy.mjs'

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
      'modules and import maps, but no data blocks',
      `<script type="application/json">{"a":1}</script><script type='application/ld+json'>{}</script>
       <script type="module">m()</script><script type="importmap">{}</script><script type=text/javascript>t()</script>`,
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

  test('done twice is the same as done once', () => {
    const once = withPolicy(page('<script>a()</script>'))
    expect(withPolicy(once)).toBe(once)
  })

  test('follows a changed script', () => {
    const changed = withPolicy(page('<script>a()</script>')).replace('a()', 'b()')
    expect(withPolicy(changed)).toBe(withPolicy(page('<script>b()</script>')))
  })

  test('does not take <header> for head', () => {
    expect(() => withPolicy('<header></header>')).toThrow('without <head>')
  })
})

test('every page of a folder gets its own policy', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'policy-'))
  try {
    await writeFile(join(folder, 'index.html'), page('<script>a()</script>'))
    await writeFile(join(folder, '404.html'), page('<script>b()</script>'))
    await writeFile(join(folder, 'notes.txt'), '<head>')
    expect(await addContentSecurityPolicy(folder)).toBe(2)
    expect(await readFile(join(folder, 'index.html'), 'utf8')).toContain(hashOf('a()'))
    expect(await readFile(join(folder, '404.html'), 'utf8')).not.toContain(hashOf('a()'))
    expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('<head>')
  } finally {
    await rm(folder, { recursive: true })
  }
})
