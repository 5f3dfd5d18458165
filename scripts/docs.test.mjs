import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repositoryRoot } from './run-command.mjs'

const pages = [
  'README.md',
  ...readdirSync(repositoryRoot, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      /^(docs|lib|components|e2e|scripts)\/.*\.md$/.test(path) && !path.includes('projects/'),
  ),
]

/** Source paths in code spans, such as `lib/core/policy/decide.ts`. */
function pathsIn(text) {
  return [...text.matchAll(/`([\w@./-]+\/[\w.-]+\.(?:ts|tsx|mjs|json|css))`/g)].map(
    ([, path]) => path,
  )
}

function linksIn(text) {
  return [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, link]) => link)
}

describe.each(pages)('%s', (page) => {
  const text = readFileSync(join(repositoryRoot, page), 'utf8')
  const folder = join(repositoryRoot, page, '..')

  test('names only files that exist', () => {
    const roots = [repositoryRoot, folder]
    const missing = pathsIn(text).filter(
      (path) => !roots.some((root) => existsSync(join(root, path))),
    )
    expect(missing).toEqual([])
  })

  test('links only to files that exist', () => {
    expect(linksIn(text).filter((link) => !existsSync(join(folder, link)))).toEqual([])
  })
})

test('the README has at most 80 lines', () => {
  expect(readFileSync(join(repositoryRoot, 'README.md'), 'utf8').split('\n').length).toBeLessThan(
    82,
  )
})
