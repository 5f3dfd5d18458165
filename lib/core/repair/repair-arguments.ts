import { jsonrepair } from 'jsonrepair'
import { singleEdit } from '../text/edits'
import type { JsonNode } from '../text/json-node'
import { isJsonObject, parseJson } from '../text/json-object'
import { parseJsonTree } from '../text/json-tree'
import { applyEdits, type Edit } from '../text/span'
import { auditFixes, hasSameContent } from './audit-fixes'
import { parseArguments } from './parser/parse-arguments'
import { CannotParse, type RepairFix } from './parser/parser'
import { isCode } from './parser/skip-text'
import { reconstruct } from './reconstruct'
import { REPAIR_LIMITS, type RepairOptions } from './repair-limits'
import { STRATEGIES, STRATEGY_NAMES, type StrategyName } from './repair-strategies'

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
  readonly attempts: number
  /** Undefined without a clock. */
  readonly milliseconds: number | undefined
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
  const { now } = options
  const repair = () => (typeof input === 'string' ? repairOrWrap(input, options) : serialise(input))
  if (now === undefined) return repair()
  const started = now()
  return { ...repair(), milliseconds: now() - started }
}

function repairOrWrap(input: string, options: RepairOptions): RepairResult {
  const valid = parseJson(input)
  const repaired =
    valid === undefined ? repairText(input, options) : result('valid', input, valid, [], 0)
  const isLimit = ['too_many_attempts', 'out_of_time'].includes(repaired.failure ?? '')
  const isOffered = options.wrapInput && !repaired.isObject && !isLimit
  return isOffered ? wrapped(input, repaired.attempts) : repaired
}

function repairText(input: string, options: RepairOptions): RepairResult {
  const started = options.now?.() ?? 0
  const isOutOfTime = () =>
    options.enabled && (options.now?.() ?? 0) - started >= options.milliseconds
  const checkTime = () => {
    if (isOutOfTime()) throw new CannotParse('out_of_time')
  }
  let attempts = 0
  for (const method of METHODS) {
    if (options.enabled && attempts >= options.attempts)
      return failed(input, 'too_many_attempts', attempts)
    if (isOutOfTime()) return failed(input, 'out_of_time', attempts)
    attempts++
    try {
      const fixes = method(input, options.strategies, checkTime)
      if (fixes === undefined) continue
      const text = applyEdits(input, fixes)
      const parsed = parseJson(text)
      const audited = parsed === undefined ? undefined : auditFixes(input, fixes, text)
      if (parsed !== undefined && audited !== undefined)
        return result('repaired', text, parsed, audited, attempts)
    } catch (error) {
      /* v8 ignore next -- @preserve Any other error is a defect of the parser. */
      if (!(error instanceof CannotParse)) throw error
      if (error.reason !== 'unexpected') return failed(input, error.reason, attempts)
    }
  }
  return failed(input, 'nothing_recognised', attempts)
}

type RepairMethod = (
  text: string,
  allowed: ReadonlySet<StrategyName> | undefined,
  /** Throws once the time is up. */
  checkTime: () => void,
) => readonly RepairFix[] | undefined

const applyJsonrepair: RepairMethod = (text, allowed) => {
  if (text.length > JSONREPAIR_CHARS || allowed?.has('jsonrepair') === false) return undefined
  if (isProgram(text)) return undefined
  try {
    const after = jsonrepair(text)
    // It drops the names of functions and stray text, and makes numbers of signs; what it cannot keep is not repaired.
    const isKept =
      hasSameContent(text.replace(COMMENT, ''), after) &&
      numbersOf(parseJsonTree(after), after).every((number) => text.includes(number))
    return isKept ? replacement('jsonrepair', text, after) : undefined
  } catch {
    // It rejected the text, or recursed too deep.
    return undefined
  }
}

/** Numbers and literals, as written. */
function numbersOf(node: JsonNode, text: string): readonly string[] {
  if (node.kind === 'other') return [text.slice(node.start, node.end)]
  return [...node.items, ...node.members.map(({ value }) => value)].flatMap((inner) =>
    numbersOf(inner, text),
  )
}

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
  (...args) => parseArguments(true, ...args),
  (...args) => parseArguments(false, ...args),
  applyJsonrepair,
  applyReconstruction,
]

/** Writes the whole text as the value of `input`. */
function wrapped(text: string, attempts: number): RepairResult {
  const value = { input: text }
  const fixes = replacement('wrapped_input', text, JSON.stringify(value))
  return result('repaired', JSON.stringify(value), value, fixes, attempts)
}

function replacement(strategy: StrategyName, before: string, after: string): RepairFix[] {
  const risk = STRATEGIES[strategy]
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
  if (text === undefined) return failed('', 'nothing_recognised', 0)
  return { ...result('repaired', text, value, [], 0), strategy: 'serialised_object' }
}

function result(
  state: 'valid' | 'repaired',
  text: string,
  value: unknown,
  fixes: readonly RepairFix[],
  attempts: number,
): RepairResult {
  const names = new Set(fixes.map((fix) => fix.strategy))
  const strategy = STRATEGY_NAMES.findLast((name) => names.has(name))
  const isObject = isJsonObject(value)
  return { ...NOTHING, state, text, value, isObject, fixes, strategy, attempts }
}

function failed(text: string, failure: RepairFailure, attempts: number): RepairResult {
  return { ...NOTHING, text, failure, attempts }
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
  milliseconds: undefined,
}
