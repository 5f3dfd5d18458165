import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FORMATS } from '../core/formats/read-document'
import { DEFAULT_POLICY, type MaskPolicy } from '../core/policy/policy'
import { POLICY_FIELDS } from '../core/policy/policy-fields'
import { describeProblem, PROBLEM_SENTENCES, type ProblemCode } from '../core/problem'
import { CACHE_FAMILIES, NO_CACHE } from '../core/replay/cache-rules'
import { EXPORT_TARGETS } from '../core/share/exports/export-targets'
import { readSettingsLink } from '../core/share/link/settings-link'
import { readSessionFile, writeSessionFile } from '../core/share/session-file'
import { readPolicyToml } from '../core/share/toml/read-policy-toml'
import { inputWithoutTranscript } from '../core/testing/export-input'
import { comments, phrases } from './fr'
import later from './fr/later.json'
import { phrasesOf } from './phrases'
import { translateComments } from './translate-comments'

const ROOT = join(import.meta.dirname, '..')

const filesIn = (folder: string, isWanted: RegExp) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => isWanted.test(name))
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'))

/** Words that every English sentence of the core has one of; not in quotes, paths or names. */
const ENGLISH =
  /(?<![\w."[])(?:the|of|is|are|an|with|without|expected|found|was|each|whose|after|before|and|or|not)(?![\w."\]])/i

function expectFrench(text: string): void {
  const shown = phrases(text)
  // What stands in quotes is JSON, or a value of the input.
  expect(shown.replace(/"(?:[^"\\]|\\.)*"/g, '""'), text).not.toMatch(ENGLISH)
}

describe('phrasesOf', () => {
  const translate = phrasesOf({
    'a text': 'un texte',
    'a list of {n} items': 'une liste de {n} éléments',
    'line {n}': 'ligne {n}',
    '{path} is {found}': '{path} est {found}',
  })

  test.each([
    ['a text', 'un texte'],
    ['a list of 3 items', 'une liste de 3 éléments'],
    ['messages[0] is a list of 3 items', 'messages[0] est une liste de 3 éléments'],
    ['line 4 is a text', 'ligne 4 est un texte'],
    ['line up', 'line up'],
    ['constructor', 'constructor'],
  ])('%s', (english, french) => {
    expect(translate(english)).toBe(french)
  })

  test('ends on a long text', () => {
    const text = ' is '.repeat(100_000)
    expect(translate(text)).toBe(text)
  })
})

describe('What the core says is French', () => {
  /** A text in quotes or a template without code, of English words. */
  const LITERAL = /(?:'((?:[^'\\\n]|\\.)+)'|`((?:[^`\\$]|\\.)+)`)/g
  const BEGIN = /^(?:an? |the |at least |lines |lists |spans |content, |nested |it ends )/

  test.each(['formats', 'text', 'files'])('literals in %s', (folder) => {
    const sources = filesIn(`core/${folder}`, /^(?!.*(?:testing\/|\.test\.)).*\.ts$/)
    for (const [, quoted, template] of sources.join('\n').matchAll(LITERAL)) {
      const text = (quoted ?? template ?? '').replaceAll('\\\\', '\\')
      if (BEGIN.test(text)) expect(phrases(text), text).not.toBe(text)
    }
  })

  test('problems and labels of all cases', () => {
    const said = filesIn('core/formats', /cases\/.*\.txt$/).flatMap((snapshot) => {
      return snapshot.split('\n').flatMap((line) => {
        const [, problem] = /^(?:problem|not read): (.*?)(?: \| at .*)?$/.exec(line) ?? []
        const [, label] = /^(.*?): \d+ messages, \d+ turns,/.exec(line) ?? []
        return [problem, label].filter((text) => text !== undefined)
      })
    })
    expect(said.length).toBeGreaterThan(300)
    for (const text of said) expectFrench(text.replace(/^span of /, ''))
  })

  test('formats', () => {
    for (const { label, expects } of FORMATS) {
      expectFrench(label)
      expectFrench(expects)
    }
  })

  test('the sentence of a problem from its text is that from its values', () => {
    const values = { line: 3, column: 7, found: 'a colon', expected: 'a value or ]' }
    const problem = { code: 'invalid_json', values, offset: undefined } as const
    expect(phrases(describeProblem(problem))).toBe(
      'Ligne 3, colonne 7\u00a0: un deux-points ne convient pas ici\u202f; attendu\u00a0: une valeur ou ].',
    )
  })

  test('sentences name the same values', () => {
    const namesIn = (sentence: string) => [...new Set(sentence.match(/\{\w+\}/g))].sort()
    for (const code of Object.keys(PROBLEM_SENTENCES) as ProblemCode[])
      expect(namesIn(later.problems[code]), code).toEqual(namesIn(PROBLEM_SENTENCES[code]))
  })

  test('rules of caches', () => {
    for (const { label } of [NO_CACHE, ...CACHE_FAMILIES]) expectFrench(label)
  })

  test('what is wrong in links, configs and session files', () => {
    const wrong = [true, 1.5, -7, 1e9, 'x', ['', 'x'.repeat(999)], [3], {}, null]
    const tomlValue = (value: unknown) =>
      value === null || JSON.stringify(value) === '{}' ? '1979-05-27' : JSON.stringify(value)
    const reasons = POLICY_FIELDS.flatMap(({ toml, short, isExtension }) =>
      wrong.flatMap((value) => {
        const table = `[observation_masking.schema1${isExtension ? '.extensions' : ''}]`
        const read = readPolicyToml(`${table}\n${toml} = ${tomlValue(value)}\n`)
        const link = readSettingsLink(`#${short}=${encodeURIComponent(String(value))}`)
        return [
          ...(read.state === 'read' ? read.problems : [read.reason]),
          ...link.problems.flatMap((problem) => ('reason' in problem ? [problem.reason] : [])),
        ]
      }),
    )
    const links = ['#o=x&c=0', '#%E0%A4%A=1&x x=3', `#q=${'x'.repeat(600)}`]
    const tomls = ['', 'x', '[observation_masking.schema1]\nfoo = 1\nextensions = 3']
    const session = JSON.parse(
      writeSessionFile({
        name: '',
        text: '',
        readAs: undefined,
        policy: DEFAULT_POLICY,
        model: undefined,
        prices: {},
        notes: '',
        unknown: { top: {}, policy: {}, transcript: {}, prices: {} },
      }).join(''),
    )
    const damaged = {
      ...session,
      policy: 3,
      model: 3,
      notes: [1],
      prices: { a: 3, b: { input: 'x' }, c: { contextWindow: -1 }, d: { cacheFamily: 'x' } },
      transcript: { name: 3, format: 'x', text: '' },
    }
    const all = [
      ...reasons,
      ...links.flatMap((link) =>
        readSettingsLink(link).problems.flatMap((one) => ('reason' in one ? [one.reason] : [])),
      ),
      ...tomls.flatMap((toml) => {
        const read = readPolicyToml(toml)
        return read.state === 'read' ? read.problems : [read.reason]
      }),
      ...readSessionFile(JSON.stringify(damaged)).problems.flatMap((one) =>
        'reason' in one ? [one.reason] : [],
      ),
    ]
    expect(all.length).toBeGreaterThan(80)
    // The TOML parser's own words stay English.
    for (const reason of all) expectFrench(reason.replace(/not TOML \(.*\)/, 'not TOML (x)'))
  })
})

describe('Comments of exports', () => {
  const base: MaskPolicy = { ...DEFAULT_POLICY, enabled: true }
  const everything: MaskPolicy = {
    ...base,
    keepLastKPerTool: 2,
    batchTurns: 4,
    excludeTools: ['a'],
    triggerTokens: 100,
    neverGrow: true,
    textParts: true,
    linkByOrder: true,
    errorPatterns: ['x'],
    errorRules: ['traceback', 'stack_trace', 'json_error'],
    placeholderTemplate: '{tool_name} {original_tokens} {tool_arguments} {first_line}',
  }
  const MARK = /^ *(?:\/\/|#:?|\/\*\*|""") ?/
  const END = /(?: \*\/|""")$/
  /** Commands to run and code to copy. */
  const CODE =
    /^(?:npx |npm install (?:@?[\w/:.-]+ ?)+$|messages = |answer = |import |from |\w+\(.*[)=,]|new |\w+: \w|callbacks|model=|def |litellm_settings|return )/

  test.each(EXPORT_TARGETS)('$id', ({ write }) => {
    for (const policy of [base, DEFAULT_POLICY, everything]) {
      const { text } = write(inputWithoutTranscript(policy))
      const french = translateComments(text, comments).split('\n')
      let isDocstring = false
      for (const [at, line] of text.split('\n').entries()) {
        const isComment = isDocstring || MARK.test(line)
        if (line.split('"""').length === 2) isDocstring = !isDocstring
        const words = line.replace(MARK, '').replace(END, '').trim()
        const isSentence = isComment && words.includes(' ') && !CODE.test(words)
        if (isSentence) expect(french[at], line).not.toBe(line)
        if (!isComment) expect(french[at]?.split(' # ')[0]).toBe(line.split(' # ')[0])
        expect(french[at]?.match(/"""|\*\//g)).toEqual(line.match(/"""|\*\//g))
      }
    }
  })
})
