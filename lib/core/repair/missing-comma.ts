import type { Offset } from '../text/span'
import { isQuote } from './look-ahead'
import { CannotRead, type Frame, fix, type Reading } from './reading'
import type { StrategyName } from './strategies'

/** Puts the comma that is missing between the last value and what stands at the position. */
export function missingComma(reading: Reading, frame: Frame): void {
  const { text, position: next } = reading
  let end = next
  while (end > frame.lastStart && /\s/.test(text[end - 1] as string)) end--
  const gap = text.slice(end, next)
  // A text right behind a string, or a number right behind one, may well be part of it.
  const isBare =
    !isQuote(text[next]) && text[next] !== '{' && text[next] !== '[' && text[next] !== '\\'
  if (reading.isTrusting && isBare && frame.lastKind === 'string' && gap === '') {
    throw new CannotRead()
  }
  const strategy = commaStrategy(reading, frame, end)
  if (gap === '') fix(reading, strategy, end, end, reading.isSpaced ? ', ' : ',')
  else if (gap !== ' ' || reading.isSpaced || isTouched(reading, end))
    fix(reading, strategy, end, end, ',')
  else fix(reading, strategy, end, next, ',')
  frame.comma = next
}

/** Whether a correction already covers or touches the space from `end` on. */
function isTouched({ fixes }: Reading, end: Offset): boolean {
  const last = fixes.at(-1)
  return last !== undefined && last.end > end
}

function commaStrategy(
  { text, position }: Reading,
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
