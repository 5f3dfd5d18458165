/**
 * Replaces one generated section of `docs/performance.md`, or of another page, and keeps the rest:
 * `writeSection('core', markdown)` replaces what is between `<!-- core -->` and `<!-- end of core -->`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../run-command.mjs'

const PAGE = 'docs/performance.md'

export function writeSection(name, markdown, file = PAGE) {
  const path = join(repositoryRoot, file)
  writeFileSync(path, replaceSection(readFileSync(path, 'utf8'), name, markdown, file))
}

export function replaceSection(page, name, markdown, file = PAGE) {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from === -1 || to < from)
    throw new Error(`${file} has no section "${name}"; expected ${start} and, after it, ${end}.`)
  return `${page.slice(0, from + start.length)}\n\n${markdown.trim()}\n\n${page.slice(to)}`
}
