/** The licences of the code and fonts that a build contains. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { repositoryRoot } from './run-command.mjs'

/** Folders in source maps of packages that have modules of other packages in theirs, and where their licence is. */
const CONTAINED = [
  [/^shared$/, 'lucide-react'],
  [/^@secretlint\//, '@secretlint/secretlint-rule-preset-recommend'],
  [/^@formatjs_generated\//, 'unicode.txt'],
  [/^lodash\./, 'lodash.txt'],
  [/^escape-string-regexp$/, 'escape-string-regexp.txt'],
  [/^@textlint\//, 'textlint.txt'],
  [/^codicons$/, 'codicons.txt'],
]
/** In the style sheets, whose maps do not name it. */
const IN_STYLES = 'node_modules/tailwindcss/preflight.css'
/** The package of each font, by the start of its file's name. */
const FONTS = { Geist: 'geist', GeistMono: 'geist', codicon: 'codicons' }

/** Takes the source maps out of a built site, and writes `notices.txt` from the modules they name. */
export function writeNotices(folder, otherModules) {
  const built = readdirSync(folder, { recursive: true }).map((name) => join(folder, name))
  const modules = built
    .filter((path) => path.endsWith('.map'))
    .flatMap((path) => {
      const map = JSON.parse(readFileSync(path, 'utf8'))
      rmSync(path)
      return [map, ...(map.sections ?? []).map((section) => section.map)].flatMap(
        ({ sources = [] }) => sources.map(decodeURIComponent),
      )
    })
  if (modules.length === 0) throw new Error(`${folder} has no source maps to read modules from`)
  for (const path of built.filter((name) => /\.(?:js|css)$/.test(name))) {
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace(/\n*(?:\/\/|\/\*)# sourceMappingURL=\S+(?: ?\*\/)?\s*$/, ''))
  }
  const fonts = built
    .map((path) => basename(path))
    .filter((name) => /\.(?:woff2?|[ot]tf)$/.test(name))
    .map((name) => `node_modules/${FONTS[/^[A-Za-z]*/.exec(name)[0]] ?? name}/`)
  const others = noticesOf([...modules, ...fonts, ...otherModules, IN_STYLES])
  writeFileSync(join(folder, 'notices.txt'), `${read('LICENSE')}\n${LINE}${others}`)
}

const LINE = `${'-'.repeat(80)}\n\n`

/** The licences of all packages that modules are of, by the modules' paths. Fails on a package without one. */
export function noticesOf(modules) {
  const folders = new Set(modules.flatMap(licensedFolder))
  const notices = [...folders].sort().map((folder) => {
    if (folder.endsWith('.txt')) return read(join('scripts/licences', folder))
    const { name, version, license, author } = JSON.parse(
      read(join(folder.replace(/\/dist\/compiled\/.*/, ''), 'package.json')),
    )
    const texts = readdirSync(join(repositoryRoot, folder))
      .filter((file) => /^(?:licen[cs]e|copying|notice|thirdpartynotices)(?:\.|$)/i.test(file))
      .map((file) => read(join(folder, file)))
    // Some name a licence without its text.
    if (texts.length === 0 && license === 'MIT' && author)
      texts.push(
        read('LICENSE').replace(/^Copyright.*$/m, `Copyright (c) ${author.name ?? author}`),
      )
    if (texts.length === 0) throw new Error(`${folder}: the bundled package has no licence text`)
    const part = folder.split('/dist/compiled/')[1]
    return `${name} ${version}${part === undefined ? '' : `, ${part}`}\n\n${texts.join('\n')}`
  })
  return notices.map((notice) => `${notice.trim()}\n\n`).join(LINE)
}

/** The folder of the package that a module is of, or a text of `scripts/licences`; none for a module of this repository. */
function licensedFolder(module) {
  // A file alone has lost its package, whose other files are listed.
  const name = /.*\bnode_modules\/((?:@[^/]+\/)?[^/@][^/]*)\//.exec(module)?.[1]
  if (name === undefined) return []
  const compiled = /node_modules\/(next\/dist\/compiled\/(?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1]
  const folders = [compiled, name].map((path) => `node_modules/${path}`)
  const installed = folders.find((folder) => existsSync(join(repositoryRoot, folder)))
  if (installed !== undefined) return [installed]
  const known = CONTAINED.find(([pattern]) => pattern.test(name))?.[1]
  if (known === undefined) throw new Error(`${module}: no licence is known of ${name}`)
  return [known.endsWith('.txt') ? known : `node_modules/${known}`]
}

const read = (path) => readFileSync(join(repositoryRoot, path), 'utf8')
