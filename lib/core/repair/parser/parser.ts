/** State of the tolerant parser and operations on it. One pass with bounded lookahead, so the time is linear. */
import { MAX_JSON_DEPTH } from '../../text/json-tree'
import type { Edit, Offset } from '../../text/span'
import { type RepairRisk, STRATEGIES, type StrategyName } from '../repair-strategies'
import { Lookahead } from './lookahead'

/** A named edit of the original text. */
export interface RepairFix extends Edit {
  readonly strategy: StrategyName
  readonly risk: RepairRisk
}

/** The kind of value the grammar expects at an offset. */
export type ValueSlot = 'root' | 'key' | 'property' | 'element'

export type ValueKind = 'string' | 'number' | 'literal' | 'object' | 'array'

/** An open object or array. */
export class Frame {
  /** Number of keys or elements so far. */
  count = 0
  /** Offset of the last comma, if no value followed it yet. */
  comma: Offset | undefined
  /** Number of opening braces removed in the frame. As many closing braces may follow the frame's. */
  extraOpenings = 0
  lastKind: ValueKind | undefined
  lastStart: Offset

  /** `tuple` and `set` are Python's; `implicit` has no opening bracket in the text. */
  constructor(
    public kind: 'object' | 'array',
    public style: 'plain' | 'tuple' | 'set' | 'implicit',
    readonly start: Offset,
  ) {
    this.lastStart = start
  }
}

export interface RootValue {
  readonly kind: ValueKind
  readonly start: Offset
  end: Offset
  hasCommaBefore: boolean
}

export class Parser extends Lookahead {
  position: Offset = 0
  readonly stack: Frame[] = []
  readonly roots: RootValue[] = []
  readonly fixes: { -readonly [Key in keyof RepairFix]: RepairFix[Key] }[] = []
  /** Number of strings searched to the end of the text; see `MAX_FULL_SCANS`. */
  fullScans = 0
  /** Inside a code fence. Once a fence was seen, text outside of fences is skipped. */
  isInFence = false
  hasFence = false
  /** True if this text has a space after its colons and commas. */
  readonly isSpaced: boolean
  /** Offset of the last double quote; -1 if there is none. */
  readonly lastQuote: Offset
  /** Offset of the closing bracket by that of the opening one, 0 if there is none; filled by `#closingBrackets`. */
  #closings: Int32Array | undefined
  /** Number of characters scanned ahead; see `scan`. */
  scanned = 0
  /** Last result of `findNext`, by the string searched. */
  readonly found = new Map<string, Offset>()

  /**
   * With `isTrustingQuotes` every unescaped quote ends its string, and the parse fails if that is not JSON. Undefined
   * `allowed` allows all. `checkTime` throws once the time is up; it is called now and then, as it reads a clock.
   */
  constructor(
    text: string,
    readonly isTrustingQuotes: boolean,
    readonly allowed: ReadonlySet<StrategyName> | undefined,
    readonly checkTime: () => void,
  ) {
    super(text)
    this.isSpaced = /["'\w\]}][:,] /.test(text.slice(0, 2000))
    this.lastQuote = text.lastIndexOf('"')
  }

  /** Adds a fix, or extends the last one if it is alike and adjacent. Throws if the strategy is not allowed. */
  addFix(
    strategy: StrategyName,
    start: Offset,
    end: Offset,
    text: string,
    risk: RepairRisk = STRATEGIES[strategy].risk,
  ): void {
    if (this.allowed?.has(strategy) === false) throw new CannotParse()
    if (this.isTrustingQuotes && STRATEGIES[strategy].needsDoubtfulQuotes) throw new CannotParse()
    const last = this.fixes.at(-1)
    if (last?.strategy === strategy && last.end === start && last.risk === risk && end > start) {
      last.end = end
      last.text += text
    } else this.fixes.push({ strategy, risk, start, end, text })
  }

  /** Adds a fix, and moves the parser to its end. */
  fixTo(strategy: StrategyName, start: Offset, end: Offset, text: string, risk?: RepairRisk): void {
    this.addFix(strategy, start, end, text, risk)
    this.position = end
  }

  /** Removes the text from the parser's position to `end`. */
  removeTo(strategy: StrategyName, end: Offset, risk?: RepairRisk): void {
    this.fixTo(strategy, this.position, end, '', risk)
  }

  /** Offset of the next `wanted` at or after `from`, -1 if there is none. The last result is cached. */
  findNext(wanted: string, from: Offset): Offset {
    const known = this.found.get(wanted)
    if (known !== undefined && (known < 0 || known >= from)) return known
    const next = this.text.indexOf(wanted, from)
    this.found.set(wanted, next)
    return next
  }

  pushFrame(kind: Frame['kind'], style: Frame['style'], start: Offset): Frame {
    if (this.stack.length >= MAX_JSON_DEPTH) throw new CannotParse('too_deep')
    const frame = new Frame(kind, style, start)
    this.stack.push(frame)
    return frame
  }

  /** Records a value in the innermost open object or array, or among the root values. */
  addValue(kind: ValueKind, start: Offset): void {
    const frame = this.stack.at(-1)
    if (frame === undefined) {
      this.roots.push({ kind, start, end: this.position, hasCommaBefore: false })
      return
    }
    if (frame.kind === 'array') frame.count++
    frame.comma = undefined
    frame.lastKind = kind
    frame.lastStart = start
  }

  /** Ends the root value at `end`, unless a frame is open. */
  endRoot(end: Offset): void {
    const root = this.roots.at(-1)
    if (this.stack.length === 0 && root !== undefined) root.end = end
  }

  /** Counts one character scanned ahead. Returns false once too many were. */
  scan(): boolean {
    return ++this.scanned <= MAX_SCANS * this.text.length
  }

  /** First closing bracket after `from` whose opening bracket is before `from`; undefined if there is none. */
  firstUnmatchedBracket(from: Offset): '}' | ']' | undefined {
    const { text } = this
    let depth = 0
    for (let at = from; at < text.length && this.scan(); at++) {
      const character = text[at]
      if (character === '"') at = Math.max(at, this.closingQuoteOf(at))
      else if (character === '{' || character === '[') depth++
      else if ((character === '}' || character === ']') && depth-- === 0) return character
    }
    return undefined
  }

  /** Offset at which the bracket at `at` closes, if the string that starts at `from` surely continues after it. */
  unescapedJsonEnd(from: Offset, at: Offset): Offset | undefined {
    const { text } = this
    const first = this.skipWhite(at + 1)
    if (text[first] !== '"') return undefined
    // An array must be the entire content: words between quotes and commas are handled one by one.
    const isList = text[at] === '['
    if (isList ? this.skipWhite(from) !== at : !this.isQuotedKeyAt(first)) return undefined
    const isBeforeQuote = (close: Offset) => text[this.skipWhite(close + 1)] === '"'
    const jsonClose = this.#closeAsJson(at)
    if (jsonClose !== undefined && isBeforeQuote(jsonClose)) return jsonClose
    const close = this.#closingBrackets()[at] as Offset
    if (close === 0 || close > this.lastQuote) return undefined
    return isList && !isBeforeQuote(close) ? undefined : close
  }

  /** Offset of the closing bracket, if quotes and backslashes mean what they mean in JSON. */
  #closeAsJson(start: Offset): Offset | undefined {
    const { text } = this
    let depth = 0
    let isInString = false
    for (let at = start; at < text.length; at++) {
      if (!this.scan()) return undefined
      const character = text[at]
      if (character === '\\') at++
      else if (character === '"') isInString = !isInString
      else if (isInString) continue
      else if (character === '{' || character === '[') depth++
      else if (character === '}' || character === ']') {
        if (--depth === 0) return at
      }
    }
    return undefined
  }

  /** Offset of the closing bracket by that of the opening one, 0 if there is none. Ignores strings. */
  #closingBrackets(): Int32Array {
    const { text } = this
    if (this.#closings !== undefined) return this.#closings
    const closings = new Int32Array(text.length)
    const braces: Offset[] = []
    const brackets: Offset[] = []
    for (let at = 0; at < text.length; at++) {
      const character = text[at]
      if (character === '{') braces.push(at)
      else if (character === '[') brackets.push(at)
      else if (character === '}' || character === ']') {
        const start = (character === '}' ? braces : brackets).pop()
        if (start !== undefined) closings[start] = at
      }
    }
    this.#closings = closings
    return closings
  }
}

/** Thrown where the parser has no safe repair; the caller tries another method. */
export class CannotParse extends Error {
  override readonly name = 'CannotParse'

  constructor(readonly reason: 'unexpected' | 'too_deep' | 'out_of_time' = 'unexpected') {
    super(reason)
  }
}

export const MAX_FULL_SCANS = 6

/** Scans ahead are at most this many times the length of the text in total. */
const MAX_SCANS = 4

/** A text with more root values than this is not parsed. */
export const MAX_ROOTS = 10_000

/** Sorts fixes by offset. At the same offset insertions come first, in the order they were made. */
export function sortFixes(fixes: readonly RepairFix[]): readonly RepairFix[] {
  const rank = ({ start, end }: Edit) => (start === end ? 0 : 1)
  return [...fixes].sort((a, b) => a.start - b.start || rank(a) - rank(b))
}
