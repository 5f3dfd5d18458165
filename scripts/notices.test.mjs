import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { noticesOf, writeNotices } from './notices.mjs'
import { serviceWorkerModules } from './write-service-worker.mjs'

test('a site has the licences of the modules its source maps name, and of its fonts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'site-'))
  const sources = ['react-resizable-panels/src/a.ts', '%40base-ui/react/b.js', 'error.ts']
  const map = { sources: sources.map((path) => `turbopack:///[project]/node_modules/${path}`) }
  writeFileSync(join(folder, 'a.js'), 'run()\n\n//# sourceMappingURL=a.js.map')
  writeFileSync(join(folder, 'a.js.map'), JSON.stringify({ sections: [{ map }] }))
  writeFileSync(join(folder, 'codicon.1a.ttf'), '')
  writeNotices(folder, await serviceWorkerModules())
  expect(readdirSync(folder).sort()).toEqual(['a.js', 'codicon.1a.ttf', 'notices.txt'])
  expect(readFileSync(join(folder, 'a.js'), 'utf8')).toBe('run()')
  const notices = readFileSync(join(folder, 'notices.txt'), 'utf8')
  const headings = ['@base-ui/react ', 'codicons', 'react-resizable-panels ', 'tailwindcss ']
  for (const name of [...headings, 'workbox-core ']) expect(notices).toContain(`\n\n${name}`)

  writeFileSync(join(folder, 'a.js.map'), JSON.stringify(map))
  writeFileSync(join(folder, 'Serif-a.woff2'), '')
  expect(() => writeNotices(folder, [])).toThrow('Serif-a.woff2')
  rmSync(folder, { recursive: true })
})

test.each(['node_modules/left-pad/index.js', 'node_modules/a/node_modules/@x/left-pad/b.js'])(
  'a bundled module without a licence fails the build: %s',
  (module) => expect(() => noticesOf([module])).toThrow('left-pad'),
)
