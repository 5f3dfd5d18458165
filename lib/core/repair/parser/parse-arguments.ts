import type { Offset } from '../../text/span'
import type { StrategyName } from '../repair-strategies'
import { joinRootValues } from './join-root-values'
import { parseOpenFrames, parseRoot } from './parse-values'
import { CannotParse, MAX_ROOTS, Parser, type RepairFix, sortFixes } from './parser'
import { skipSurroundingText } from './skip-text'

/**
 * Returns the fixes that should turn `text` into JSON, in ascending order and without overlap; the caller checks that
 * they do. With `isTrustingQuotes` every unescaped quote ends its string; without, only if the text after it fits.
 * Throws `CannotParse` if there is no safe repair. Without `allowed`, all strategies apply.
 */
export function parseArguments(
  isTrustingQuotes: boolean,
  text: string,
  allowed: ReadonlySet<StrategyName> | undefined,
  checkTime: () => void,
): readonly RepairFix[] {
  const parser = new Parser(text, isTrustingQuotes, allowed, checkTime)
  if (parser.skipWhite(0) === text.length) {
    parser.addFix('empty_arguments', 0, text.length, '{}')
    return parser.fixes
  }
  let hasComma = false
  while (skipSurroundingText(parser)) {
    const { position: at } = parser
    if (text[at] === ',') {
      hasComma = parser.skipWhite(at + 1) < text.length
      parser.position++
      if (!hasComma) parser.addFix('trailing_commas', at, at + 1, '')
      continue
    }
    if (reopenObject(parser, hasComma)) {
      hasComma = false
      continue
    }
    const count = parser.roots.length
    if (count === MAX_ROOTS) throw new CannotParse()
    if (parser.isQuotedKeyAt(at) || parser.isBareKeyAt(at) || isKeywordArgument(parser)) {
      openImplicitObject(parser)
    } else parseRoot(parser)
    const root = parser.roots[count]
    /* v8 ignore next -- @preserve Every root value moves the position; a defect must not become an endless loop. */
    if (root === undefined || parser.position <= at) throw new CannotParse()
    root.hasCommaBefore = hasComma
    hasComma = false
  }
  joinRootValues(parser)
  const fixes = sortFixes(parser.fixes)
  if (fixes.some(({ start }, index) => start < (fixes[index - 1]?.end ?? 0)))
    throw new CannotParse()
  return fixes
}

/** Reopens an object that was closed too early: `{"a": 1}, "b": 2}`. Returns false if none was. */
function reopenObject(parser: Parser, hasComma: boolean): boolean {
  const { text, position: at, roots } = parser
  const last = roots.at(-1)
  if (last?.kind !== 'object' || text[last.end - 1] !== '}') return false
  const isKey = parser.isQuotedKeyAt(at) || (hasComma && parser.isBareKeyAt(at))
  // A pair without its colon, and the end of its object: `"name" "value"}`.
  const isPairEnd = /^"[^"\\\n]{1,100}"\s{0,8}"[^"\n]{0,400}"\s{0,8}\}/.test(
    text.slice(at, at + 600),
  )
  if (!isKey && !isPairEnd) return false
  if ((parser.fixes.at(-1)?.end ?? 0) > last.end - 1) return false
  parser.addFix('stray_brackets', last.end - 1, last.end, '')
  const frame = parser.pushFrame('object', 'plain', last.start)
  const isEmpty = text[parser.skipWhite(last.start + 1)] === '}'
  frame.count = isEmpty ? 0 : 1
  frame.lastKind = 'string'
  frame.lastStart = last.start
  let comma: Offset = last.end
  while (comma < at && text[comma] !== ',') comma++
  if (hasComma && !isEmpty) frame.comma = comma
  if (hasComma && isEmpty) parser.addFix('stray_commas', comma, comma + 1, '')
  parseOpenFrames(parser)
  return true
}

/** True if a Python keyword argument starts at the parser's position: `search(query="text")`. */
function isKeywordArgument(parser: Parser): boolean {
  const { text, position, fixes } = parser
  if (fixes.at(-1)?.strategy !== 'call_tags') return false
  const end = parser.nameEnd(position)
  return end > position && text[end] === '=' && text[end + 1] !== '='
}

/** Opens an object without braces: `"name": 1, "next": 2`. */
function openImplicitObject(parser: Parser): void {
  const { position: at } = parser
  parser.addFix('unopened_brackets', at, at, '{')
  parser.roots.push({ kind: 'object', start: at, end: at, hasCommaBefore: false })
  parser.pushFrame('object', 'implicit', at)
  parseOpenFrames(parser)
}
