/**
 * Replaces one generated section of `docs/performance.md` and keeps the rest of the page:
 * `writeSection('core', markdown)` replaces what is between `<!-- core -->` and `<!-- end of core -->`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../run-command.mjs'

const PAGE = 'docs/performance.md'

export function writeSection(name, markdown) {
  const path = join(repositoryRoot, PAGE)
  writeFileSync(path, replaceSection(readFileSync(path, 'utf8'), name, markdown))
}

export function replaceSection(page, name, markdown) {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from === -1 || to < from)
    throw new Error(`${PAGE} has no section "${name}"; expected ${start} and, after it, ${end}.`)
  return `${page.slice(0, from + start.length)}\n\n${markdown.trim()}\n\n${page.slice(to)}`
}
