import { jsonrepair } from 'jsonrepair'
import { singleEdit } from '../text/single-edit'
import { applyEdits } from '../text/span'
import { readArguments } from './read-arguments'
import { CannotRead, type RepairFix } from './reading'
import { reconstruct } from './reconstruct'
import { REPAIR_LIMITS, type RepairLimits } from './repair-limits'
import { STRATEGIES, STRATEGY_NAMES, type StrategyName } from './strategies'

export type RepairFailure = 'nothing_recognised' | 'too_deep' | 'too_many_attempts' | 'out_of_time'

export interface RepairResult {
  readonly state: 'valid' | 'repaired' | 'failed'
  /** Valid JSON, or the text as it came when it could not be repaired. */
  readonly text: string
  /** What the text parses to; undefined when it could not be repaired. Numbers beyond 2^53 are exact in `text` only. */
  readonly value: unknown
  /** Corrections of the original text, ascending: carried out they give `text`. */
  readonly fixes: readonly RepairFix[]
  /** The last strategy, in the order of the list, that was needed. */
  readonly strategy: StrategyName | undefined
  readonly failure: RepairFailure | undefined
  readonly attempts: number
}

/** jsonrepair's time grows with the square of some inputs; beyond this it is not asked. */
const JSONREPAIR_CHARS = 20_000

/**
 * Makes the arguments of a tool call valid JSON: only their syntax changes, and each change is named.
 * Valid text comes back as it is; an object is serialised; what cannot be repaired comes back as it came.
 */
export function repairArguments(
  input: unknown,
  limits: RepairLimits = REPAIR_LIMITS,
): RepairResult {
  if (typeof input !== 'string') return serialise(input)
  const valid = parse(input)
  if (valid !== undefined) return result('valid', input, valid.value, [], 0)

  const started = limits.now?.() ?? 0
  let attempts = 0
  for (const way of [byTrustingReader, byReader, byJsonrepair, byReconstruction]) {
    if (attempts >= limits.attempts) return failed(input, 'too_many_attempts', attempts)
    if ((limits.now?.() ?? 0) - started >= limits.milliseconds)
      return failed(input, 'out_of_time', attempts)
    attempts++
    try {
      const fixes = way(input, limits.strategies)
      if (fixes === undefined) continue
      const text = applyEdits(input, fixes)
      const parsed = parse(text)
      if (parsed !== undefined) return result('repaired', text, parsed.value, fixes, attempts)
    } catch (error) {
      if (!(error instanceof CannotRead)) throw error
      if (error.reason === 'too_deep') return failed(input, 'too_deep', attempts)
    }
  }
  return failed(input, 'nothing_recognised', attempts)
}

type Way = (text: string, allowed?: ReadonlySet<StrategyName>) => readonly RepairFix[] | undefined

const byTrustingReader: Way = (text, allowed) => readArguments(text, true, allowed)

const byReader: Way = (text, allowed) => readArguments(text, false, allowed)

const byJsonrepair: Way = (text, allowed) => {
  if (text.length > JSONREPAIR_CHARS || allowed?.has('jsonrepair') === false) return undefined
  try {
    return replacement('jsonrepair', text, jsonrepair(text))
  } catch {
    // It refuses the text, or its recursion went too deep.
    return undefined
  }
}

const byReconstruction: Way = (text, allowed) => {
  const found = reconstruct(text)
  if (found === undefined || allowed?.has(found.strategy) === false) return undefined
  return replacement(found.strategy, text, found.text)
}

function replacement(strategy: StrategyName, before: string, after: string): RepairFix[] {
  const risk = STRATEGIES[strategy]
  const at = before === '' ? -1 : after.indexOf(before)
  if (at >= 0) {
    // Only put around: `text` in quotes.
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
