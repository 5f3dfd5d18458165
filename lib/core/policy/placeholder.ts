import type { ToolResult } from '../conversation/conversation'
import { DEFAULT_PLACEHOLDER } from './policy'
import OTHERS from './templates.json' with { type: 'json' }

export const PLACEHOLDER_VARIABLES = [
  'tool_call_id',
  'tool_name',
  'original_chars',
  'original_tokens',
  'tool_arguments',
  'first_line',
] as const

export type PlaceholderVariable = (typeof PLACEHOLDER_VARIABLES)[number]

/** The values that a placeholder can contain. They belong to its call and result and never depend on later turns. */
export type PlaceholderFacts = Pick<
  ToolResult,
  'callId' | 'toolName' | 'toolArguments' | 'firstLine' | 'chars' | 'length'
>

const VARIABLE = new RegExp(`\\{(${PLACEHOLDER_VARIABLES.join('|')})\\}`, 'g')
const UNKNOWN_TOOL = 'inconnu'
/** The most digits that a count in a placeholder can have. */
const COUNT_DIGITS = 16
/** The most UTF-16 units of a first line, which has 80 characters at most. */
const FIRST_LINE_UNITS = 160

let lastTemplate = splitTemplate('')

/** The last template is cached. */
function templateOf(source: string) {
  if (lastTemplate.source !== source) lastTemplate = splitTemplate(source)
  return lastTemplate
}

/** Splits a template once for all results: its first text, and each of its variables with the text that follows it. */
function splitTemplate(source: string) {
  const [start = '', ...pieces] = source.split(VARIABLE)
  const variables: { readonly name: PlaceholderVariable; readonly after: string }[] = []
  for (let index = 0; index < pieces.length; index += 2) {
    // Constants are compared faster than parts of a template.
    const name = PLACEHOLDER_VARIABLES.find((variable) => variable === pieces[index])
    variables.push({ name: name as PlaceholderVariable, after: pieces[index + 1] as string })
  }
  return {
    source,
    start,
    variables,
    /** Length of its texts. */
    fixedLength: variables.reduce((length, { after }) => length + after.length, start.length),
  }
}

/** Replaces the variables of a template in one pass; other text in braces is not changed. */
export function renderPlaceholder(
  template: string,
  facts: PlaceholderFacts,
  tokens: number | undefined,
): string {
  const { start, variables } = templateOf(template)
  let text = start
  for (const { name, after } of variables) {
    const isTokens = name === 'original_tokens'
    text += (isTokens ? (tokens ?? `{${name}}`) : variableText(name, facts)) + after
  }
  return text
}

/** True if the length of a result is one that a placeholder of this template for this call can have. */
export function canBePlaceholder(template: string, facts: PlaceholderFacts): boolean {
  const { fixedLength, variables } = templateOf(template)
  const { length } = facts
  if (length < fixedLength) return false
  let [shortest, freedom] = [fixedLength, 0]
  for (const { name } of variables) {
    if (isCount(name)) {
      shortest++
      freedom += COUNT_DIGITS - 1
    } else if (name === 'first_line') freedom += FIRST_LINE_UNITS
    else shortest += variableText(name, facts).length
  }
  return length >= shortest && length <= shortest + freedom
}

/**
 * True if the text of a result is this template's placeholder for this call, with any numbers as counts and any line as
 * its first line, which the placeholder replaced.
 */
export function isPlaceholder(template: string, facts: PlaceholderFacts, text: string): boolean {
  if (!canBePlaceholder(template, facts)) return false
  const { start, variables } = templateOf(template)
  if (!text.startsWith(start)) return false
  let isFirst = true
  const pattern = variables.map(({ name, after }) => {
    if (isCount(name)) return `\\d{1,${COUNT_DIGITS}}${escapeForPattern(after)}`
    const line = isFirst ? FIRST_LINE : SAME_LINE
    if (name !== 'first_line') return escapeForPattern(variableText(name, facts) + after)
    isFirst = false
    return line + escapeForPattern(after)
  })
  return new RegExp(`^${escapeForPattern(start)}${pattern.join('')}$`).test(text)
}

const HIGH = '[\\uD800-\\uDBFF]'
const LOW = '[\\uDC00-\\uDFFF]'
/** One character of a line, in one way only: a pair of surrogates, half a pair, or any other. */
const CHARACTER = `(?:${HIGH}${LOW}|${HIGH}(?!${LOW})|[^\\n\\r\\u2028\\u2029\\uD800-\\uDBFF])`
/** At most 80 characters. The last can be half a pair that the text after it completes. */
const FIRST_LINE = `(?<line>${CHARACTER}{0,80}|${CHARACTER}{0,79}${HIGH})`
/** A line that stands twice is the same line; so many of them cost no more time than one. */
const SAME_LINE = '\\k<line>'

function isCount(variable: string): boolean {
  return variable === 'original_chars' || variable === 'original_tokens'
}

function variableText(name: PlaceholderVariable, facts: PlaceholderFacts): string {
  if (name === 'tool_call_id') return facts.callId ?? ''
  if (name === 'tool_name') return facts.toolName ?? UNKNOWN_TOOL
  if (name === 'original_chars') return String(facts.chars)
  return name === 'first_line' ? facts.firstLine : facts.toolArguments
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** Templates to choose from, in two languages. */
export const TEMPLATE_KINDS = ['full', 'short', 'arguments', 'first_line'] as const

export const TEMPLATE_LANGUAGES = ['french', 'english'] as const

/** `french.full` is the default of Schema 1; its specification is in French. */
export const TEMPLATES = {
  ...OTHERS,
  french: { full: DEFAULT_PLACEHOLDER, ...OTHERS.french },
}
