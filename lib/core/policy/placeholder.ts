import type { ToolResult } from '../conversation/conversation'

export const PLACEHOLDER_VARIABLES = [
  'tool_call_id',
  'tool_name',
  'original_chars',
  'original_tokens',
  'tool_arguments',
] as const

export type PlaceholderVariable = (typeof PLACEHOLDER_VARIABLES)[number]

/** What a placeholder may depend on: its own call and result, never later turns. */
export type PlaceholderFacts = Pick<
  ToolResult,
  'callId' | 'toolName' | 'toolArguments' | 'chars' | 'length'
>

const VARIABLE = new RegExp(`\\{(${PLACEHOLDER_VARIABLES.join('|')})\\}`, 'g')
const UNKNOWN_TOOL = 'inconnu'
/** Longest number taken for a count when a placeholder is recognised. */
const COUNT_DIGITS = 16

/** Replaces the variables of a template in one pass; anything else in braces stays as written. */
export function renderPlaceholder(
  template: string,
  facts: PlaceholderFacts,
  tokens: number | undefined,
): string {
  return template.replace(VARIABLE, (whole, name: PlaceholderVariable) => {
    if (name === 'original_chars') return String(facts.chars)
    if (name === 'original_tokens') return tokens === undefined ? whole : String(tokens)
    return ownText(name, facts)
  })
}

/**
 * Whether a result's text is exactly this template's placeholder for this call, any numbers as its counts.
 * `text` is asked for only when its length makes that possible.
 */
export function isPlaceholder(
  template: string,
  facts: PlaceholderFacts,
  text: () => string,
): boolean {
  // Every second piece is the name of a variable.
  const pieces = template.split(VARIABLE).map((piece, index) => {
    if (index % 2 === 0) return piece
    const isCount = piece === 'original_chars' || piece === 'original_tokens'
    return isCount ? undefined : ownText(piece as PlaceholderVariable, facts)
  })
  let fixedLength = 0
  let counts = 0
  for (const piece of pieces) {
    if (piece === undefined) counts++
    else fixedLength += piece.length
  }
  if (facts.length < fixedLength + counts || facts.length > fixedLength + counts * COUNT_DIGITS)
    return false
  const pattern = pieces.map((piece) =>
    piece === undefined ? `\\d{1,${COUNT_DIGITS}}` : escapeForPattern(piece),
  )
  return new RegExp(`^${pattern.join('')}$`).test(text())
}

function ownText(name: PlaceholderVariable, facts: PlaceholderFacts): string {
  if (name === 'tool_call_id') return facts.callId ?? ''
  if (name === 'tool_name') return facts.toolName ?? UNKNOWN_TOOL
  return facts.toolArguments
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
