/**
 * What one reading of malformed arguments knows: the text, how far it is, what is open, what was corrected.
 * The text is read once, from left to right; looking ahead is bounded, so that time stays linear.
 */
import type { Edit, Offset } from '../text/span'
import { type RepairRisk, STRATEGIES, type StrategyName } from './strategies'

/** One correction: a named edit of the original text. */
export interface RepairFix extends Edit {
  readonly strategy: StrategyName
  readonly risk: RepairRisk
}

/** A correction that the next one may still become part of. */
type OpenFix = { -readonly [Key in keyof RepairFix]: RepairFix[Key] }

/** `property`: the value after a colon; `element`: a value of an array. */
export type Place = 'root' | 'key' | 'property' | 'element'

export type ValueKind = 'string' | 'number' | 'literal' | 'object' | 'array'

export interface Frame {
  kind: 'object' | 'array'
  /** `tuple` and `set` as Python writes them; `implicit`: it has no opening bracket in the text. */
  style: 'plain' | 'tuple' | 'set' | 'implicit'
  readonly start: Offset
  /** Keys or elements read so far. */
  count: number
  /** The comma that nothing has followed yet. */
  comma: Offset | undefined
  /** Opening braces left out within it: as many closing ones may follow its own. */
  extraOpenings: number
  lastKind: ValueKind | undefined
  lastStart: Offset
}

export interface Root {
  readonly kind: ValueKind
  readonly start: Offset
  end: Offset
  hasCommaBefore: boolean
}

export interface Reading {
  readonly text: string
  /** Every quote that no backslash precedes closes its string; where that leads nowhere, the reading ends. */
  readonly isTrusting: boolean
  position: Offset
  readonly stack: Frame[]
  readonly roots: Root[]
  readonly fixes: OpenFix[]
  /** Undefined: all of them. */
  readonly allowed: ReadonlySet<StrategyName> | undefined
  /** Strings that were searched to the end of the text; a few at most, see `MAX_FULL_SCANS`. */
  fullScans: number
  /** Between the backticks of a fence; what stands outside is not part of the arguments. */
  isInFence: boolean
  hasFence: boolean
  /** Whether this text puts a space after its colons and commas. */
  readonly isSpaced: boolean
  /** Where the last double quote stands, -1 when there is none. */
  readonly lastQuote: Offset
  /** By offset of an opening bracket its closing one; undefined until asked for, see `embeddedEnd`. */
  closings: Int32Array | undefined
  /** Characters that `embeddedEnd` looked at. */
  scanned: number
  /** Where something was last found by `findNext`. */
  readonly found: Map<string, Offset>
}

/** The reader knows no good way on; other means take over. */
export class CannotRead extends Error {
  override readonly name = 'CannotRead'
  readonly reason: 'unexpected' | 'too_deep'

  constructor(reason: CannotRead['reason'] = 'unexpected') {
    super(reason)
    this.reason = reason
  }
}

export const MAX_FULL_SCANS = 6

/** More values after each other are no arguments. */
export const MAX_ROOTS = 10_000

export function startReading(
  text: string,
  isTrusting: boolean,
  allowed: ReadonlySet<StrategyName> | undefined,
): Reading {
  return {
    text,
    isTrusting,
    position: 0,
    stack: [],
    roots: [],
    fixes: [],
    allowed,
    fullScans: 0,
    isInFence: false,
    hasFence: false,
    isSpaced: /["'\w\]}][:,] /.test(text.slice(0, 2000)),
    lastQuote: text.lastIndexOf('"'),
    closings: undefined,
    scanned: 0,
    found: new Map(),
  }
}

/** What is needed where quotes are not as they should be. */
const DISTRUSTFUL: ReadonlySet<StrategyName> = new Set([
  'unclosed_strings',
  'unopened_strings',
  'inner_quotes',
  'doubled_quotes',
  'unquoted_values',
  'stray_words',
  'stray_brackets',
  'missing_values',
])

/** Notes a correction; consecutive ones of one strategy that touch become one. */
export function fix(
  reading: Reading,
  strategy: StrategyName,
  start: Offset,
  end: Offset,
  text: string,
  risk: RepairRisk = STRATEGIES[strategy],
): void {
  if (reading.allowed?.has(strategy) === false) throw new CannotRead()
  if (reading.isTrusting && DISTRUSTFUL.has(strategy)) throw new CannotRead()
  const last = reading.fixes.at(-1)
  if (last?.strategy === strategy && last.end === start && last.risk === risk && end > start) {
    last.end = end
    last.text += text
  } else reading.fixes.push({ strategy, risk, start, end, text })
}

/** The next place of `wanted` at or after `from`, -1 when there is none; asking again costs nothing. */
export function findNext({ text, found }: Reading, wanted: string, from: Offset): Offset {
  const known = found.get(wanted)
  if (known !== undefined && (known < 0 || known >= from)) return known
  const next = text.indexOf(wanted, from)
  found.set(wanted, next)
  return next
}
