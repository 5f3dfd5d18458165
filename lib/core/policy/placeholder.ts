import type { ToolResult } from '../conversation/conversation'

export const PLACEHOLDER_VARIABLES = [
  'tool_call_id',
  'tool_name',
  'original_chars',
  'original_tokens',
  'tool_arguments',
] as const

export type PlaceholderVariable = (typeof PLACEHOLDER_VARIABLES)[number]

/** The values that a placeholder can contain. They belong to its call and result and never depend on later turns. */
export type PlaceholderFacts = Pick<
  ToolResult,
  'callId' | 'toolName' | 'toolArguments' | 'chars' | 'length'
>

const VARIABLE = new RegExp(`\\{(${PLACEHOLDER_VARIABLES.join('|')})\\}`, 'g')
const UNKNOWN_TOOL = 'inconnu'
/** The most digits that a count in a placeholder can have. */
const COUNT_DIGITS = 16

/** Texts and the names of variables, in turn. */
type TemplatePieces = readonly string[]

let lastPieces: { readonly template: string; readonly pieces: TemplatePieces } = {
  template: '',
  pieces: [''],
}

/** Splits a template; every second piece is the name of a variable. The last template is cached. */
function splitTemplate(template: string): TemplatePieces {
  if (lastPieces.template !== template) lastPieces = { template, pieces: template.split(VARIABLE) }
  return lastPieces.pieces
}

/** Replaces the variables of a template in one pass; other text in braces is not changed. */
export function renderPlaceholder(
  template: string,
  facts: PlaceholderFacts,
  tokens: number | undefined,
): string {
  let text = ''
  for (const [index, piece] of splitTemplate(template).entries()) {
    if (index % 2 === 0) text += piece
    else if (piece === 'original_chars') text += facts.chars
    else if (piece === 'original_tokens') text += tokens ?? `{${piece}}`
    else text += variableText(piece as PlaceholderVariable, facts)
  }
  return text
}

/**
 * True if the text of a result is this template's placeholder for this call, with any numbers as counts.
 * `text` is called only if the length of the result makes that possible.
 */
export function isPlaceholder(
  template: string,
  facts: PlaceholderFacts,
  text: () => string,
): boolean {
  const { length } = facts
  let fixedLength = 0
  let counts = 0
  const pieces = splitTemplate(template)
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 0) fixedLength += piece.length
    else if (isCount(piece)) counts++
    else fixedLength += variableText(piece as PlaceholderVariable, facts).length
  }
  if (length < fixedLength + counts || length > fixedLength + counts * COUNT_DIGITS) return false
  const pattern = pieces.map((piece, index) => {
    if (index % 2 === 0) return escapeForPattern(piece)
    if (isCount(piece)) return `\\d{1,${COUNT_DIGITS}}`
    return escapeForPattern(variableText(piece as PlaceholderVariable, facts))
  })
  return new RegExp(`^${pattern.join('')}$`).test(text())
}

function isCount(variable: string): boolean {
  return variable === 'original_chars' || variable === 'original_tokens'
}

function variableText(name: PlaceholderVariable, facts: PlaceholderFacts): string {
  if (name === 'tool_call_id') return facts.callId ?? ''
  if (name === 'tool_name') return facts.toolName ?? UNKNOWN_TOOL
  return facts.toolArguments
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
