import { jsonrepair } from 'jsonrepair'
import { ReadError } from '../problem'
import { singleEdit } from '../text/edits'
import { isJsonObject, parseJson } from '../text/json'
import { applyEdits, type Edit } from '../text/span'
import { auditFixes, contentOf, decodeText, hasSameContent, joinFixes } from './audit-fixes'
import { parseTags } from './markup'
import { parseArguments } from './parser/parse-arguments'
import { CannotParse, type RepairFix } from './parser/parser'
import { isCode } from './parser/skip-text'
import { reconstruct } from './reconstruct'
import { clockOf, REPAIR_LIMITS, type RepairOptions } from './repair-limits'
import { type RepairRisk, STRATEGIES, STRATEGY_NAMES, type StrategyName } from './repair-strategies'

export type RepairFailure = 'nothing_recognised' | 'too_deep' | 'too_many_attempts' | 'out_of_time'

export interface RepairResult {
  readonly state: 'valid' | 'repaired' | 'failed'
  /** Valid JSON, or the input if the repair failed. */
  readonly text: string
  /** Parsed `text`; undefined if the repair failed. Numbers above 2^53 are exact in `text` only. */
  readonly value: unknown
  /** False if the arguments are a list, a text or another value: no tool takes them. */
  readonly isObject: boolean
  /** Edits of the input, in ascending order; applied, they give `text`. */
  readonly fixes: readonly RepairFix[]
  /** Last strategy applied, in the order of `STRATEGY_NAMES`. */
  readonly strategy: StrategyName | undefined
  readonly failure: RepairFailure | undefined
  /** 1 if a repair was tried. */
  readonly attempts: 0 | 1
  readonly milliseconds: number
}

/** On some inputs jsonrepair's time grows with the square of the length, so longer ones skip it. */
const JSONREPAIR_CHARS = 20_000

/**
 * Repairs the arguments of a tool call: the result is valid JSON, and each change is a named fix. Valid text and text
 * that cannot be repaired are returned unchanged; an object is serialised.
 */
export function repairArguments(
  input: unknown,
  options: RepairOptions = REPAIR_LIMITS,
): RepairResult {
  const now = clockOf(options)
  const started = now()
  const repaired = typeof input === 'string' ? repairOrWrap(input, options) : serialise(input)
  return { ...repaired, milliseconds: now() - started }
}

function repairOrWrap(input: string, options: RepairOptions): RepairResult {
  const valid = parseJson(input)
  const asItCame = valid === undefined ? undefined : result('valid', input, valid, [])
  // A string may have an object in it.
  const isTried = asItCame === undefined || typeof valid === 'string'
  const tried = isTried ? repairText(input, options) : asItCame
  const found = tried.isObject ? tried : (asItCame ?? tried)
  const isLimit = tried.failure === 'too_many_attempts' || tried.failure === 'out_of_time'
  return options.wrapInput && !found.isObject && !isLimit ? wrapped(input) : found
}

function repairText(input: string, options: RepairOptions): RepairResult {
  const { enabled, attempts, milliseconds, strategies: allowed } = options
  if (enabled && attempts <= 0) return failed(input, 'too_many_attempts')
  const now = clockOf(options)
  const started = now()
  const checkTime = () => {
    if (enabled && now() - started >= milliseconds) throw new CannotParse('out_of_time')
  }
  try {
    const decoded = decodeText(input)
    const isDecoded = decoded.fixes.length > 0 && allowed?.has('escaped_quotes') !== false
    const inner = isDecoded ? bestFixes(decoded.text, allowed, checkTime) : undefined
    const fixes =
      inner === undefined
        ? bestFixes(input, allowed, checkTime)
        : joinFixes(input, decoded.fixes, inner)
    if (fixes === undefined) return failed(input, 'nothing_recognised')
    const text = applyEdits(input, fixes)
    return result('repaired', text, JSON.parse(text), fixes)
  } catch (error) {
    /* v8 ignore next -- @preserve Any other error is a defect of the parser. */
    if (!(error instanceof CannotParse) || error.reason === 'unexpected') throw error
    return failed(input, error.reason)
  }
}

type RepairMethod = (
  text: string,
  allowed: ReadonlySet<StrategyName> | undefined,
  /** Throws once the time is up. */
  checkTime: () => void,
) => readonly RepairFix[] | undefined

/** A pair whose name has quotes. */
const PAIR = /"[^"\n]{1,100}"\s{0,8}:/

/**
 * The fixes of the first method that makes JSON of the text; those of the reconstruction if it keeps more, where the others
 * give no object or drop pairs. Undefined if no method does.
 */
const bestFixes: RepairMethod = (text, ...rest) => {
  if (isJsonObject(parseJson(text))) return []
  const apply = (method: RepairMethod) => {
    try {
      const made = method(text, ...rest)
      if (made === undefined) return undefined
      const after = applyEdits(text, made)
      const value = parseJson(after)
      const fixes = value === undefined ? undefined : auditFixes(text, made, after)
      return fixes && { fixes, isObject: isJsonObject(value), kept: contentOf(after) }
    } catch (error) {
      // The parser has no safe repair, or a result is nested too deep.
      const isNone = error instanceof CannotParse && error.reason === 'unexpected'
      if (isNone || error instanceof ReadError) return undefined
      throw error
    }
  }
  const dropsPairs = ({ risk, start, end, text: inserted }: RepairFix) =>
    risk === 'loss' && PAIR.test(text.slice(start, end)) && !PAIR.test(inserted)
  for (const method of METHODS) {
    rest[1]()
    const found = apply(method)
    if (found === undefined) continue
    if (found.isObject && !found.fixes.some(dropsPairs)) return found.fixes
    const other = apply(applyReconstruction)
    const keepsMore = other?.isObject && other.kept.length > found.kept.length
    return (keepsMore ? other : found).fixes
  }
  return undefined
}

const applyTags: RepairMethod = (text, allowed) => {
  const found = allowed?.has('tagged_arguments') === false ? undefined : parseTags(text)
  return found && replacement('tagged_arguments', text, found.text, found.risk)
}

const applyJsonrepair: RepairMethod = (text, allowed) => {
  if (text.length > JSONREPAIR_CHARS || allowed?.has('jsonrepair') === false) return undefined
  if (isProgram(text)) return undefined
  try {
    const after = jsonrepair(text)
    // It drops the names of functions and stray text, and makes numbers of signs; what it cannot keep is not repaired.
    const isKept =
      hasSameContent(text.replace(COMMENT, ''), after) &&
      after
        .replace(STRING_OR_MARK, ' ')
        .split(' ')
        .every((number) => text.includes(number))
    const isCutOff = closingAtEnd(after) > closingAtEnd(text)
    return isKept ? replacement('jsonrepair', text, after, isCutOff ? 'loss' : 'guess') : undefined
  } catch {
    // It rejected the text, or recursed too deep.
    return undefined
  }
}

/** Number of closing brackets that end a text. */
const closingAtEnd = (text: string) => text.slice(-50).replace(/.*[\w"'`]|[^}\]]/gs, '').length

const STRING_OR_MARK = /"(?:[^"\\]|\\.)*"|[\s,:{}[\]]+/g
const COMMENT = /\/\*[^*]{0,1000}\*\//g

const applyReconstruction: RepairMethod = (text, allowed, checkTime) => {
  if (isProgram(text)) return undefined
  const found = reconstruct(text, checkTime)
  if (found === undefined || allowed?.has(found.strategy) === false) return undefined
  // Tokens alone say too little about the rest.
  if (found.strategy === 'reconstructed_tokens' && !hasSameContent(text, found.text))
    return undefined
  return replacement(found.strategy, text, found.text)
}

/** True for code that does not start as JSON does. */
function isProgram(text: string): boolean {
  return !/^\s*(?:["'{[]|\/[^/*])/.test(text) && isCode(text)
}

/** The methods, in the order in which they are tried. */
const METHODS: readonly RepairMethod[] = [
  applyTags,
  (...args) => parseArguments(true, ...args),
  (...args) => parseArguments(false, ...args),
  applyJsonrepair,
  applyReconstruction,
]

/** Writes the whole text as the value of `input`. */
function wrapped(text: string): RepairResult {
  const value = { input: text }
  const fixes = replacement('wrapped_input', text, JSON.stringify(value))
  return result('repaired', JSON.stringify(value), value, fixes)
}

function replacement(
  strategy: StrategyName,
  before: string,
  after: string,
  risk: RepairRisk = STRATEGIES[strategy].risk,
): RepairFix[] {
  const at = after.indexOf(before)
  if (at >= 0) {
    // Only text around it was added, such as quotes.
    const end = before.length
    const around = [
      { start: 0, end: 0, text: after.slice(0, at), strategy, risk },
      { start: end, end, text: after.slice(at + end), strategy, risk },
    ]
    return around.filter(({ text }) => text !== '')
  }
  return [{ ...(singleEdit(before, after) as Edit), strategy, risk }]
}

function serialise(value: unknown): RepairResult {
  const text = JSON.stringify(value) as string | undefined
  if (text === undefined) return failed('', 'nothing_recognised')
  return { ...result('repaired', text, value, []), strategy: 'serialised_object' }
}

function result(
  state: 'valid' | 'repaired',
  text: string,
  value: unknown,
  fixes: readonly RepairFix[],
): RepairResult {
  const names = new Set(fixes.map((fix) => fix.strategy))
  const strategy = STRATEGY_NAMES.findLast((name) => names.has(name))
  const isObject = isJsonObject(value)
  const attempts = state === 'valid' ? 0 : 1
  return { ...NOTHING, state, text, value, isObject, fixes, strategy, attempts }
}

function failed(text: string, failure: RepairFailure): RepairResult {
  return { ...NOTHING, text, failure, attempts: failure === 'too_many_attempts' ? 0 : 1 }
}

const NOTHING: RepairResult = {
  state: 'failed',
  text: '',
  value: undefined,
  isObject: false,
  fixes: [],
  strategy: undefined,
  failure: undefined,
  attempts: 0,
  milliseconds: 0,
}
