/** Finds the specific terms of a text: those that a model can hardly write without having read them. */
import COMMON from './common-terms.json' with { type: 'json' }
import { MOST_TERM_CHARS } from './term-index'

export type TermKind =
  | ('path' | 'url' | 'id' | 'hash' | 'number' | 'error_code' | 'name')
  | ('quotation' | 'line')

/** A term, and the terms to look for instead where it is found nowhere. */
export interface Candidate {
  readonly term: string
  readonly kind: TermKind
  readonly parts: readonly Candidate[]
  /** It counts only if one result has it and no other. */
  readonly isRare?: boolean
}

/** One list for all terms without parts: a transcript has a hundred thousand of them. */
const NONE: readonly Candidate[] = []

const FEWEST_LINE_CHARS = 32
const FEWEST_LINE_WORDS = 5
const FEWEST_QUOTED_CHARS = 8

/** Returns the candidates of a text, line by line. */
export function findTerms(text: string): Candidate[] {
  return text.split(/\r?\n/).flatMap((raw) => {
    const line = raw.trim()
    if (line === '') return []
    const parts = quotationsOf(line)
    return isLong(line, FEWEST_LINE_CHARS, FEWEST_LINE_WORDS)
      ? [{ term: line, kind: 'line', parts }]
      : parts
  })
}

const WORD = /[\p{L}\p{N}_]+/gu

/** True for texts that are long enough and have white space at two places at least. */
function isLong(text: string, fewestChars: number, fewestWords: number): boolean {
  if (text.length < fewestChars || text.length > MOST_TERM_CHARS) return false
  if (!/\s\S+\s/.test(text)) return false
  return (text.match(WORD)?.length ?? 0) >= fewestWords
}

const QUOTED = /"[^"]{8,}"|`[^`]{8,}`/g

function quotationsOf(line: string): Candidate[] {
  return matchesIn(line, QUOTED, piecesOf, ([quoted]) => {
    const term = quoted.slice(1, -1).trim()
    const parts = piecesOf(term)
    return isLong(term, FEWEST_QUOTED_CHARS, 3) ? [{ term, kind: 'quotation', parts }] : parts
  })
}

/** The terms of a text in their order: those of each match, and those of what is between; a match without a list is between. */
function matchesIn(
  text: string,
  pattern: RegExp,
  between: (text: string) => Candidate[],
  termsOf: (match: RegExpExecArray) => Candidate[] | undefined,
): Candidate[] {
  const found: Candidate[] = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    const terms = termsOf(match)
    if (terms === undefined) continue
    found.push(...between(text.slice(end, match.index)), ...terms)
    end = match.index + match[0].length
  }
  return [...found, ...between(text.slice(end))]
}

const URL = /\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"'`<>\\]+/gi

function piecesOf(text: string): Candidate[] {
  return matchesIn(text, URL, figuresOf, ([url]) => [
    { term: url.replace(/[).,:;!?\]}]+$/, ''), kind: 'url', parts: NONE },
  ])
}

/** An amount of money, a percentage, or a number with separators or a word of scale. */
const FIGURE =
  /(?<![\p{L}\p{N}_.,/-])(\p{Sc}\s?)?(\d{1,3}(?:[,\u00a0\u202f]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(\s?%|[KMB]\b| (?:thousand|million|billion|trillion)\b)?(?![\p{L}\p{N}_]|[.,/-]\d)/gu

function figuresOf(text: string): Candidate[] {
  return matchesIn(text, FIGURE, namesOf, ({ 0: term, 1: currency, 2: number, 3: unit = '' }) => {
    const digits = (number as string).replace(/[^\d.]/g, '')
    // A plain number is told apart from ids and versions below.
    if (digits === number && currency === undefined && unit === '') return undefined
    // The sign of a currency is not looked for.
    const fewest = unit === '' ? (currency === undefined ? 4 : 3) : 2
    const significant = digits.replace('.', '').replace(/^0+|0+$/g, '').length
    if (significant < fewest) return []
    const isRare = unit.includes('%') && Number(digits) % 5 === 0
    return [{ term, kind: 'number', parts: NONE, ...(isRare && { isRare }) }]
  })
}

/** Capitalised words in a row beside a word that is not: people, companies, places; no headings. */
const NAMED = String.raw`\p{Lu}[\p{L}\p{M}'’&-]+(?: (?:\p{Lu}\.|\p{Lu}[\p{L}\p{M}'’&-]+)){1,3}(?![\p{L}\p{N}_])`
const PROPER_NAME = new RegExp(
  String.raw`(?<=[\p{Ll},;] )(?:${NAMED}|\p{Lu}\p{Ll}{4,}(?=[ ,.;)]))|(?<![\p{L}\p{N}_.] ?)${NAMED}(?= [\p{Ll}(])`,
  'gu',
)

/** A proper name counts if one result has it: models know what many texts name. */
function namesOf(text: string): Candidate[] {
  const names = (text.match(PROPER_NAME) ?? [])
    .filter((term) => term.split(' ').every(isOwnName))
    .map((term): Candidate => ({ term, kind: 'name', parts: NONE, isRare: true }))
  return [...names, ...chunksOf(text)]
}

/** Signs that no path, name or number contains. */
const CHUNK = /[^\s"'`<>()[\]{},;|=*?!\\^&“”‘’«»→…]+/g
const LINE_SUFFIX = /(?::\d{1,7}){1,2}$/

function chunksOf(text: string): Candidate[] {
  return (text.match(CHUNK) ?? []).flatMap((raw) => {
    const chunk = raw.replace(/^[^\p{L}\p{N}_]+/u, '').replace(/[^\p{L}\p{N}_]+$/u, '')
    if (chunk.length < 4 || chunk.length > MOST_TERM_CHARS) return []
    const suffix = LINE_SUFFIX.exec(chunk)?.[0] ?? ''
    const base = chunk.slice(0, chunk.length - suffix.length)
    const isRooted = /^[^\p{L}\p{N}_]*\//u.test(raw)
    const pieces = base
      .split(/[:@]+|[^\p{L}\p{N}_./+~%$-]+/u)
      .flatMap((piece, at) => candidatesOf(piece, isRooted && at === 0))
    const last = pieces.at(-1)
    if (suffix === '' || last?.kind !== 'path') return pieces
    return [...pieces.slice(0, -1), { term: last.term + suffix, kind: 'path', parts: [last] }]
  })
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const HASH = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{7,128}$/i
const NUMBER = /^\d+(?:\.\d+)?$/
const ERROR_CODE =
  /^(?:E|TS|CS|ORA|LNK|SQLSTATE|CVE|PGRST|RUSTSEC)-?\d{3,}(?:-\d+)*$|^E(?:RR)?_[A-Z_]{4,}$/
const FILE =
  /^[\p{L}\p{N}_.+~%$-]*[\p{L}\p{N}_]\.(?:[cm]?[jt]sx?|json[lc5]?|py|pyi|ipynb|go|rs|rb|php|java|kt|swift|c|cc|cpp|h|hpp|cs|scala|sh|bash|zsh|ps1|bat|sql|md|mdx|rst|txt|log|csv|tsv|xml|ya?ml|toml|ini|cfg|conf|env|lock|html?|s?css|less|svg|png|jpe?g|gif|pdf|zip|gz|tar|parquet|db|sqlite|proto|graphql|tf|vue|svelte|patch|diff|out|bin|exe|so|dll|wasm|map|snap|tmpl)$/iu

function candidatesOf(piece: string, isRooted = false): Candidate[] {
  if (piece.length < 4) return []
  if (piece.includes('/')) return pathsOf(piece, isRooted)
  if (FILE.test(piece)) return specific(piece, 'path')
  if (UUID.test(piece)) return specific(piece, 'hash')
  if (NUMBER.test(piece)) return isSpecificNumber(piece) ? specific(piece, 'number') : []
  if (ERROR_CODE.test(piece)) return specific(piece, 'error_code')
  if (HASH.test(piece)) return specific(piece, 'hash')
  if (isLibraryMember(piece)) return []
  if (piece.includes('-') || piece.includes('.')) {
    const words = piece.split(/[^\p{L}\p{N}_]+/u)
    const parts = words.flatMap(wordOf)
    if (parts.length === 0 && !hasIdDigits(piece)) return []
    const kind = hasIdDigits(piece) ? 'id' : 'name'
    return COMMON_TERMS.has(piece) ? parts : [{ term: piece, kind, parts }]
  }
  return wordOf(piece)
}

function wordOf(word: string): Candidate[] {
  if (word.length < 4) return []
  if (NUMBER.test(word)) return isSpecificNumber(word) ? specific(word, 'number') : []
  if (ERROR_CODE.test(word)) return specific(word, 'error_code')
  if (HASH.test(word)) return specific(word, 'hash')
  if (hasIdDigits(word)) return specific(word, 'id')
  const isName = (CAMEL.test(word) || SNAKE.test(word)) && !isMadeOfCommonWords(word)
  return isName ? specific(word, 'name') : []
}

/** False for words of any program, as in `input/output` and `Delete File`. */
function isOwnName(word: string): boolean {
  return word.length > 1 && !CODE_WORDS.has(word.toLowerCase())
}

/** The whole path, then its ends, each shorter by a folder. */
function pathsOf(piece: string, isRooted: boolean): Candidate[] {
  const segments = piece.split('/').filter((segment) => segment !== '')
  const term = segments.join('/')
  const last = segments.at(-1) as string
  const isFile = FILE.test(last)
  if (segments.length < 2) return segments.flatMap((segment) => candidatesOf(segment))
  const isPath =
    isFile || isRooted || (!MODULES.has(segments[0] as string) && segments.every(isOwnName))
  if (!isPath || /^[\d/.]+$/.test(term)) return []
  const shorter = isFile ? pathsOf(segments.slice(1).join('/'), false) : []
  const parts = segments.length === 2 && isFile ? specific(last, 'path') : shorter
  return COMMON_TERMS.has(term) ? parts : [{ term, kind: 'path', parts }]
}

function specific(term: string, kind: TermKind): Candidate[] {
  return COMMON_TERMS.has(term) ? [] : [{ term, kind, parts: NONE }]
}

/** A number and its unit: `32-byte`, `100ms`, `10th`, `1024x768`. */
const MEASURE =
  /^\d[\d.]*(?:-\p{Ll}+(?:-\p{Ll}+)*|[kmgt]i?b?|[munp]?s|secs?|mins?|h|hrs?|px|r?em|pt|[mkc]?m|[kg]?hz|st|nd|rd|th|x|x\d+)$/iu

/** At least two digits beside letters. */
function hasIdDigits(word: string): boolean {
  if (MEASURE.test(word)) return false
  return /\p{L}/u.test(word) && (word.match(/\d/g)?.length ?? 0) >= 2
}

const CAMEL = /^(?=.{6})[\p{L}\d]*\p{Ll}\p{Lu}[\p{L}\d]*$/u
const SNAKE = /^(?=.{6})_*\p{L}[\p{L}\d]*(?:_+[\p{L}\d]+)+_*$/u

const PART = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})/gu

/** True for names that anyone would give a variable: `file_path`, `isActive`, `createdAt`. */
function isMadeOfCommonWords(word: string): boolean {
  const parts = word.match(PART)
  return (
    parts !== null && parts.length < 4 && parts.every((part) => CODE_WORDS.has(part.toLowerCase()))
  )
}

/** Four digits or more that are no year, no round number and no power of two. */
function isSpecificNumber(number: string): boolean {
  const digits = number.replace('.', '')
  if (digits.replace(/^0+/, '').length < 4) return false
  if (/^(?:19|20)\d\d$/.test(number) || /^\d{1,2}0+(?:\.0+)?$/.test(number)) return false
  const value = Number(number)
  return !Number.isInteger(Math.log2(value)) && !Number.isInteger(Math.log2(value + 1))
}

/**
 * Names that models know without having read them, in `common-terms.json`: modules of the standard libraries of Python,
 * Go and JavaScript, the usual short names of much used packages, and files that most projects have. `members` are what
 * Node 20 and Python 3 list for their built-in types and their modules for files, paths, processes, dates and tests, and
 * much used names of Go's. `codeWords` are the words that variables of any program are named by.
 */
const MODULES = names(COMMON.modules)
const CODE_WORDS = names(COMMON.codeWords)
const COMMON_TERMS = names([...COMMON.files, ...COMMON.words, ...COMMON.members])

function names(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}

/** True for a member of a standard library, such as `strings.HasSuffix`. */
function isLibraryMember(dotted: string): boolean {
  const [module = '', member] = dotted.split('.')
  return member !== undefined && MODULES.has(module)
}
