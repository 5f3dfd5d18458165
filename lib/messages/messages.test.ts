import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { describe, expect, test } from 'vitest'
import { en } from './en'
import { help } from './en/help-messages'
import { firstEn } from './first-en'
import { fr } from './fr'
import { help as aide } from './fr/help-messages'
import { typesetFrench } from './typeset-french'

type Elements = ReturnType<typeof parse>

interface Message {
  readonly text: string
  readonly elements: Elements
}

/** Every message by its path, such as `shell.notice.copied`. */
function messagesOf(value: unknown, path: readonly string[] = []): [path: string, Message][] {
  if (typeof value === 'string') return [[path.join('.'), { text: value, elements: parse(value) }]]
  return Object.entries(value as object).flatMap(([key, child]) =>
    messagesOf(child, [...path, key]),
  )
}

const english = new Map(messagesOf({ ...en, help }))
const french = new Map(messagesOf({ ...fr, help: typesetFrench(aide) }))

/** What a message needs to be formatted: `count number`, `kind select other yes`, `a tag`. */
function needsOf(elements: Elements): string[] {
  const needs = elements.flatMap((element) => {
    switch (element.type) {
      case TYPE.argument:
        return [`${element.value} text`]
      case TYPE.number:
        return [`${element.value} number`]
      case TYPE.plural:
        return [`${element.value} number`, ...branchesOf(element).flatMap(needsOf)]
      case TYPE.select: {
        const options = Object.keys(element.options).toSorted().join(' ')
        return [`${element.value} select ${options}`, ...branchesOf(element).flatMap(needsOf)]
      }
      case TYPE.tag:
        return [`${element.value} tag`, ...needsOf(element.children)]
      default:
        return []
    }
  })
  return [...new Set(needs)].toSorted()
}

/** The words of a message, with a space for each value in it. */
function wordsOf(elements: Elements): string {
  const parts = elements.map((element) => {
    if (element.type === TYPE.literal) return element.value
    if (element.type === TYPE.tag) return wordsOf(element.children)
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return ' '
    return branchesOf(element).map(wordsOf).join(' ')
  })
  return parts.join('')
}

function branchesOf({
  options,
}: {
  readonly options: Readonly<Record<string, { readonly value: Elements }>>
}) {
  return Object.values(options).map(({ value }) => value)
}

/** Words that are the same in both languages, and names. */
const NAMES =
  'AI Anthropic CLI Complexity Gemini JSON LangChain LangGraph Lines LiteLLM Markdown Masking Observation OpenCode OpenHands Proxy Python SDK SWE The Trap Vercel Web Arguments Assistant Cache Code Conversation Conversations Diff Document Format Id Messages Notes Placeholder Session Sessions Source Token Tokens Trace Verdict agent assistant completion conversation conversations cookie exact exception false fixture max message messages min ms msgs note notes placeholder playground points sessions simulation timeout token tokens top trace traceback true zip'
const SHARED = new Set(NAMES.split(' '))

test('a French message needs the values that the English one gets', () => {
  for (const [path, { elements }] of english)
    expect.soft(needsOf(french.get(path)?.elements ?? []), path).toEqual(needsOf(elements))
})

test('a message is the same in both languages only where they share its words', () => {
  const same = [...english].filter(([path, { text }]) => text === french.get(path)?.text)
  const words = same.flatMap(([, { elements }]) => wordsOf(elements).match(/\p{L}{2,}/gu) ?? [])
  expect([...new Set(words)].filter((word) => !SHARED.has(word)).toSorted()).toEqual([])
})

describe('no French message has', () => {
  test.each([
    ['an ordinary space beside a mark', / [;:?!»%]|« /],
    ['no space before a mark', /[\p{L}\d][;?!»]|\p{L}: (?![["])/u],
    ['English quotation marks or a straight apostrophe', /[“”‘']/],
  ])('%s', (_, pattern) => {
    // Quoted names are as their programs write them.
    const found = [...french].filter(([, { elements }]) =>
      pattern.test(wordsOf(elements).replace(/«\u00a0[^»]*\u00a0»/g, '')),
    )
    expect(found.map(([path, { text }]) => [path, text])).toEqual([])
  })
})

/** Kinds of secrets, as secretlint names them. */
const NAMED_ELSEWHERE = /^share\.transcript\.kinds\./

const root = join(import.meta.dirname, '../..')

/** Every file that may ask for a message. */
const sources = ['app', 'components', 'lib/core', 'lib/state', 'lib/worker'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .map((name) => {
      const path = posix.join(folder, name.replaceAll('\\', '/'))
      const code = readFileSync(join(root, path), 'utf8')
      return { path, name: basename(name).replace(/\.\w+$/, ''), code }
    }),
)

const found = (code: string, pattern: RegExp) =>
  [...code.matchAll(pattern)].map(([, part = '']) => part)

/** Strings and names of members: a key that is computed is one of them. */
const codeWords = new Set(
  sources.flatMap(({ code }) => found(code, /(?:'|\b)([\w-]+)(?:'|\b\??[:,])/g)),
)

/** The messages that a file with a translator is for, and the keys it asks for. */
function usesOf({ code }: { readonly code: string }) {
  // A translator that a file gets has its type from another one.
  const types = sources.filter(
    (other) => other.code.includes('useTranslations<') && code.includes(`/${other.name}'`),
  )
  const namespaces = [code, ...types.map((type) => type.code)].flatMap((text) =>
    found(text, /useTranslations[(<]'([\w.]+)'/g),
  )
  if (namespaces.length === 0) return []
  const own = code.replace(/useTranslations[(<]'[\w.]+'/g, '')
  const names = ['t', ...found(code, /const (\w+) = useTranslations/g)].join('|')
  const computed = found(own, /`((?:[\w.]|\$\{[^}`]*\})+)`/g).map((key) =>
    key.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w-]+'),
  )
  if (new RegExp(`\\b(${names})(\\.rich)?\\(\\s*[\\w.?]+\\s*[,)]`).test(own))
    computed.push('[\\w-]+')
  const literals = new Set(found(own, /'([\w.-]+)'/g))
  return namespaces.map((namespace) => ({
    namespace,
    literals,
    computed: new RegExp(`^(?:${computed.join('|')})$`),
  }))
}

/** True if one of the uses may ask for the message at a path. */
function isAsked(path: string, uses: ReturnType<typeof usesOf>): boolean {
  return uses.some(({ namespace, literals, computed }) => {
    if (!path.startsWith(`${namespace}.`)) return false
    const key = path.slice(namespace.length + 1)
    const last = key.split('.').at(-1) ?? ''
    return literals.has(key) || (computed.test(key) && codeWords.has(last))
  })
}

test('every message is used by a view that asks for its key', () => {
  const uses = sources.flatMap(usesOf)
  const unused = [...english.keys()].filter(
    (path) => !NAMED_ELSEWHERE.test(path) && !isAsked(path, uses),
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

test.each(['app/page.tsx', 'app/embed/page.tsx'])(
  'what loads with %s asks for texts of the first view only, or waits for the others',
  (page) => {
    const files = filesOfPage(page)
    expect(files.length).toBeGreaterThan(50)
    const first = new Set(messagesOf(firstEn).map(([path]) => path))
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
