import type { Offset } from '../../text/span'
import type { StrategyName } from '../repair-strategies'
import { isQuote } from './lookahead'
import { addFix, CannotParse, type Frame, type Parser } from './parser'

/** Inserts the comma missing between the last value and the parser's position. */
export function insertMissingComma(parser: Parser, frame: Frame): void {
  const { text, position: next } = parser
  let end = next
  while (end > frame.lastStart && /\s/.test(text[end - 1] as string)) end--
  const gap = text.slice(end, next)
  // Characters glued to a string may be part of it.
  const isBare =
    !isQuote(text[next]) && text[next] !== '{' && text[next] !== '[' && text[next] !== '\\'
  if (parser.isTrustingQuotes && isBare && frame.lastKind === 'string' && gap === '') {
    throw new CannotParse()
  }
  const strategy = commaStrategy(parser, frame, end)
  const isBesideWords =
    isAfterWords(parser, end) ||
    (frame.kind === 'array' &&
      (frame.lastKind === 'object' || frame.lastKind === 'array') &&
      isBare)
  const risk = isBesideWords && !gap.includes('\n') ? 'guess' : 'none'
  if (gap === '') addFix(parser, strategy, end, end, parser.isSpaced ? ', ' : ',', risk)
  else if (gap !== ' ' || parser.isSpaced || isTouched(parser, end))
    addFix(parser, strategy, end, end, ',', risk)
  else addFix(parser, strategy, end, next, ',', risk)
  frame.comma = next
}

/** True after an unquoted text, which may go on. */
function isAfterWords({ fixes }: Parser, end: Offset): boolean {
  const last = fixes.at(-1)
  return last?.strategy === 'unquoted_values' && last.end === end
}

/** True if a fix already covers or touches the space from `end` on. */
function isTouched({ fixes }: Parser, end: Offset): boolean {
  const last = fixes.at(-1)
  return last !== undefined && last.end > end
}

function commaStrategy(
  { text, position }: Parser,
  { kind, lastKind }: Frame,
  end: Offset,
): StrategyName {
  const next = text[position]
  switch (lastKind) {
    case 'number':
      return 'comma_after_number'
    case 'literal':
      return 'comma_after_literal'
    case 'object':
    case 'array':
      return next === '{' || next === '[' ? 'comma_before_brackets' : 'comma_after_brackets'
  }
  if (next === '{' || next === '[') return 'comma_before_brackets'
  if (kind === 'array') return 'comma_between_values'
  return end === position ? 'value_key' : 'comma_between_properties'
}
