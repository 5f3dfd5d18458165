import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FORMATS } from '../core/formats/read-document'
import { MECHANISM_FACTS } from '../core/mechanisms/mechanism-table'
import { PRESETS } from '../core/share/presets'
import { forAll } from '../core/testing/test-size'
import { ENGLISH_COMMENTS } from '../core/words/comments'
import coreEn from '../core/words/en.json'
import { ENGLISH, inEnglish } from '../core/words/english'
import helpEn from './en/help.json'
import helpFr from './fr/help.json'
import { FIRST_TEXTS, loadTexts } from './languages'

/** Every message by its path, such as `shell.notice.copied`. */
function messagesOf(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  return Object.entries(value as object).flatMap(([key, child]) =>
    messagesOf(child, path === '' ? key : `${path}.${key}`),
  )
}

const all = async (language: 'en' | 'fr', help: object) =>
  new Map(messagesOf({ ...(await loadTexts(language)).messages, help }))
const english = await all('en', helpEn)
const french = await all('fr', helpFr)

function partsOf(elements: readonly MessageFormatElement[]): MessageFormatElement[] {
  return elements.flatMap((element) => {
    const options = 'options' in element ? Object.values(element.options) : []
    const within = 'children' in element ? element.children : options.flatMap(({ value }) => value)
    return [element, ...partsOf(within)]
  })
}

/** What a message needs to be formatted: `count number`, `kind select other yes`, `a tag`. */
function needsOf(text: string): string[] {
  const needs = partsOf(parse(text)).flatMap((part) => {
    if (part.type === TYPE.literal || part.type === TYPE.pound) return []
    const choices = part.type === TYPE.select ? Object.keys(part.options).toSorted() : []
    const type = part.type === TYPE.plural ? TYPE.number : part.type
    return [[part.value, TYPE[type], ...choices].join(' ')]
  })
  return [...new Set(needs)].toSorted()
}

test('a French message needs the values that the English one gets', () => {
  expect([...french.keys()].toSorted()).toEqual([...english.keys()].toSorted())
  for (const [path, text] of english)
    expect.soft(needsOf(french.get(path) ?? ''), path).toEqual(needsOf(text))
})

test('the core says in French what it says in English', async () => {
  const { core } = await loadTexts('fr')
  const english = new Map(messagesOf(coreEn).map(([path, text]) => [path.split('.').at(-1), text]))
  for (const [key = '', text] of english) {
    expect.soft(core, key).toHaveProperty([key])
    const valuesIn = (one = '') => one.match(/\{\w+\}/g)?.toSorted()
    expect.soft(valuesIn(core[key]), key).toEqual(valuesIn(text))
  }
  for (const { expects } of FORMATS) expect.soft(core[expects], expects).toBeDefined()
  for (const { does, needs, export: file } of Object.values(MECHANISM_FACTS))
    for (const text of [does, needs, file?.title, file?.note?.replace(/^[?!]\S+ /, '')])
      if (text !== undefined && !/^[~\w./]+$/.test(text))
        expect.soft(core, text).toHaveProperty([text])
})

test('a French comment of an export is another sentence on as many lines, and cannot end its comment', async () => {
  const { comments } = await loadTexts('fr')
  expect(Object.keys(comments)).toEqual(Object.keys(ENGLISH_COMMENTS))
  for (const [key, text] of Object.entries(comments)) {
    const own = ENGLISH_COMMENTS[key] as string
    expect.soft(text, key).not.toBe(own)
    const needed = /\{\w+\}|\n *|\*\/|"""/g
    expect.soft(text.match(needed), key).toEqual(own.match(needed))
  }
})

test.each([
  ['an ordinary space beside a mark', / [;:?!»%]|« /],
  ['no space before a mark', /[\p{L}\d][?;!»]|\p{L}: (?![["])/u],
  ['English quotation marks or a straight apostrophe', /[“”‘']/],
])('no French message has %s', (_, pattern) => {
  const found = [...french].filter(([, text]) => {
    const words = partsOf(parse(text)).map((part) =>
      part.type === TYPE.literal ? part.value : ' ',
    )
    // Quoted names are as their programs write them.
    return pattern.test(words.join('').replace(/«\u00a0[^»]*\u00a0»/g, ''))
  })
  expect(found).toEqual([])
})

test('break-even has one name in French', () => {
  const names = [...french].filter(([path, text]) =>
    /break-even|\bauto\b/.test(english.get(path) ?? '') && !/équil/.test(text) ? [path] : false,
  )
  expect(names).toEqual([])
  expect([...french].filter(([, text]) => /au seuil|rentabilité/.test(text))).toEqual([])
})

const root = join(import.meta.dirname, '../..')

/** Every file that may ask for a message. */
const sources = ['app', 'components', 'lib/core', 'lib/state', 'lib/worker'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .map((path) => ({ path, code: readFileSync(join(root, path), 'utf8') })),
)

const found = (code: string, pattern: RegExp) =>
  [...code.matchAll(pattern)].map(([, part = '']) => part)

/** Strings, names of members, and ids of named policies: a key that is computed is one of them. */
const codeWords = new Set([
  ...PRESETS.map(({ id }) => id),
  ...sources.flatMap(({ code }) => found(code, /(?:'|\b)([\w-]+)(?:'|\b\??[:,])/g)),
])

/** The messages that a file with a translator is for, and the keys it asks for. */
function usesOf({ code }: { readonly code: string }) {
  // A translator that a file gets has its type from another one.
  const types = sources.filter(
    (other) =>
      other.code.includes('useTranslations<') &&
      code.includes(`/${posix.basename(other.path).replace(/\.\w+$/, '')}'`),
  )
  const namespaces = [code, ...types.map((type) => type.code)].flatMap((text) =>
    found(text, /use(?:Translations|View)[(<]'([\w.]+)'/g),
  )
  if (namespaces.length === 0) return []
  const own = code.replace(/use(?:Translations|View)[(<]'[\w.]+'/g, '')
  const others = /(?:const (?=\w+ = useTranslations)|const \{ t: (?=\w+ \} = useView))(\w+)/g
  const names = ['t', ...found(code, others)].join('|')
  // Two values without a text between them are no key.
  const computed = found(own, /`((?:[\w.]|\$\{[^}`]*\}(?!\$))+)`/g).map((key) =>
    key.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '([\\w-]+)'),
  )
  if (new RegExp(`\\b(${names})(\\.rich)?\\(\\s*[\\w.?]+\\s*[,)]`).test(own))
    computed.push('([\\w-]+)')
  // What is compared is asked for elsewhere.
  const literals = new Set(found(own, /(?<![!=]== )'([\w.-]+)'/g))
  const patterns = computed.map((key) => new RegExp(`^${key}$`))
  return namespaces.map((namespace) => ({ namespace, literals, patterns }))
}

/** True if one of the uses may ask for the message at a path. */
function isAsked(path: string, uses: ReturnType<typeof usesOf>): boolean {
  return uses.some(({ namespace, literals, patterns }) => {
    if (!path.startsWith(`${namespace}.`)) return false
    const key = path.slice(namespace.length + 1)
    const last = key.split('.').at(-1) ?? ''
    return (
      literals.has(key) ||
      patterns.some((pattern) => {
        const [whole, ...values] = pattern.exec(key) ?? []
        const areWords = values.every((value) => codeWords.has(value))
        return whole !== undefined && (areWords || codeWords.has(last))
      })
    )
  })
}

test('every message is used by a view that asks for its key', () => {
  const uses = sources.flatMap(usesOf)
  // Kinds of secrets are named by secretlint.
  const unused = [...english.keys()].filter(
    (path) => !path.startsWith('share.transcript.kinds.') && !isAsked(path, uses),
  )
  expect(unused).toEqual([])
})

/** Files that load with a page: it, and what they import, but not what loads later or is a type. */
function filesOfPage(page: string): typeof sources {
  const paths = new Set([page])
  for (const path of paths) {
    const { code = '' } = sources.find((source) => source.path === path) ?? {}
    const imports = found(code, /^(?:import|export)(?! type) [^']*?from '((?:@|\.\.?)\/[^']+)'/gm)
    for (const specifier of imports) {
      const base = specifier.startsWith('@/')
        ? specifier.slice(2)
        : posix.join(posix.dirname(path), specifier)
      const file = sources.find((source) => source.path.replace(/\.tsx?$/, '') === base)
      if (file !== undefined) paths.add(file.path)
    }
  }
  return sources.filter(({ path }) => paths.has(path))
}

test.each(['app/(playground)/layout.tsx', 'app/embed/page.tsx'])(
  'what loads with %s asks for texts of the first view only, or waits for the others',
  (page) => {
    const files = filesOfPage(page)
    expect(files.length).toBeGreaterThan(50)
    const first = new Set(messagesOf(FIRST_TEXTS.messages).map(([path]) => path))
    // So does what they load later.
    const loading = files.filter(({ code }) => /from 'next\/dynamic'/.test(code))
    expect(loading.filter(({ code }) => !/useAllTexts\(/.test(code))).toEqual([])
    const asked = files
      .filter(({ code }) => !/useAllTexts\(/.test(code))
      .flatMap((file) => {
        const uses = usesOf(file)
        return [...english.keys()]
          .filter((path) => !first.has(path) && isAsked(path, uses))
          .map((path) => `${file.path} asks for ${path}`)
      })
    expect(asked).toEqual([])
  },
)

test('a name that is in no catalogue stays as it is, whatever it is', () => {
  const members = Object.getOwnPropertyNames(Object.prototype)
  const anyName = fc
    .oneof(fc.constantFrom(...members), fc.string())
    .filter((name) => !Object.hasOwn(ENGLISH, name))
  forAll(100, [anyName], (name) => {
    expect(inEnglish({ name })).toBe(name)
    expect(inEnglish({ name: `{${name}}`, values: {} })).toBe(`{${name}}`)
  })
})
