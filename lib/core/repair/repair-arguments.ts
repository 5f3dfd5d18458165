import { jsonrepair } from 'jsonrepair'
import { singleEdit } from '../text/single-edit'
import { applyEdits } from '../text/span'
import { parseArguments } from './parser/parse-arguments'
import { CannotParse, type RepairFix } from './parser/parser'
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
  /** Edits of the input, in ascending order; applied, they give `text`. */
  readonly fixes: readonly RepairFix[]
  /** Last strategy applied, in the order of `STRATEGY_NAMES`. */
  readonly strategy: StrategyName | undefined
  readonly failure: RepairFailure | undefined
  readonly attempts: number
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
  if (typeof input !== 'string') return serialise(input)
  const valid = parse(input)
  if (valid !== undefined) return result('valid', input, valid.value, [], 0)

  const started = options.now?.() ?? 0
  let attempts = 0
  for (const method of [
    parseTrustingQuotes,
    parseDoubtingQuotes,
    applyJsonrepair,
    applyReconstruction,
  ]) {
    if (attempts >= options.attempts) return failed(input, 'too_many_attempts', attempts)
    if ((options.now?.() ?? 0) - started >= options.milliseconds)
      return failed(input, 'out_of_time', attempts)
    attempts++
    try {
      const fixes = method(input, options.strategies)
      if (fixes === undefined) continue
      const text = applyEdits(input, fixes)
      const parsed = parse(text)
      if (parsed !== undefined) return result('repaired', text, parsed.value, fixes, attempts)
    } catch (error) {
      if (!(error instanceof CannotParse)) throw error
      if (error.reason === 'too_deep') return failed(input, 'too_deep', attempts)
    }
  }
  return failed(input, 'nothing_recognised', attempts)
}

type RepairMethod = (
  text: string,
  allowed?: ReadonlySet<StrategyName>,
) => readonly RepairFix[] | undefined

const parseTrustingQuotes: RepairMethod = (text, allowed) => parseArguments(text, true, allowed)

const parseDoubtingQuotes: RepairMethod = (text, allowed) => parseArguments(text, false, allowed)

const applyJsonrepair: RepairMethod = (text, allowed) => {
  if (text.length > JSONREPAIR_CHARS || allowed?.has('jsonrepair') === false) return undefined
  try {
    return replacement('jsonrepair', text, jsonrepair(text))
  } catch {
    // It rejected the text, or recursed too deep.
    return undefined
  }
}

const applyReconstruction: RepairMethod = (text, allowed) => {
  const found = reconstruct(text)
  if (found === undefined || allowed?.has(found.strategy) === false) return undefined
  return replacement(found.strategy, text, found.text)
}

function replacement(strategy: StrategyName, before: string, after: string): RepairFix[] {
  const risk = STRATEGIES[strategy]
  const at = before === '' ? -1 : after.indexOf(before)
  if (at >= 0) {
    // Only text around it was added, such as quotes.
    const end = before.length
    const around = [
      { start: 0, end: 0, text: after.slice(0, at), strategy, risk },
      { start: end, end, text: after.slice(at + end), strategy, risk },
    ]
    return around.filter(({ text }) => text !== '')
  }
  const edit = singleEdit(before, after)
  return edit === undefined ? [] : [{ ...edit, strategy, risk }]
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

function serialise(value: unknown): RepairResult {
  const text = JSON.stringify(value) as string | undefined
  if (text === undefined) return failed('', 'nothing_recognised', 0)
  return {
    ...result('repaired', text, value, [], 0),
    strategy: 'serialised_object',
  }
}

function result(
  state: 'valid' | 'repaired',
  text: string,
  value: unknown,
  fixes: readonly RepairFix[],
  attempts: number,
): RepairResult {
  const names = new Set(fixes.map(({ strategy }) => strategy))
  const strategy = STRATEGY_NAMES.findLast((name) => names.has(name))
  return { state, text, value, fixes, strategy, failure: undefined, attempts }
}

function failed(text: string, failure: RepairFailure, attempts: number): RepairResult {
  return {
    state: 'failed',
    text,
    value: undefined,
    fixes: [],
    strategy: undefined,
    failure,
    attempts,
  }
}
