import type { ToolResult } from '../conversation/conversation'
import { DEFAULT_PLACEHOLDER } from './policy'

export const PLACEHOLDER_VARIABLES = [
  'tool_call_id',
  'tool_name',
  'original_chars',
  'original_tokens',
  'tool_arguments',
  'first_line',
] as const

export type PlaceholderVariable = (typeof PLACEHOLDER_VARIABLES)[number]

/** The last placeholder of a result whose id, tool name and text do not change. */
export interface PlaceholderMemory {
  template: Template | undefined
  placeholder: string
}

/** The values that a placeholder can contain. They belong to its call and result and never depend on later turns. */
export type PlaceholderFacts = Pick<
  ToolResult,
  'callId' | 'toolName' | 'toolArguments' | 'firstLine' | 'chars' | 'length'
> & { readonly memory?: PlaceholderMemory | undefined }

const VARIABLE = new RegExp(`\\{(${PLACEHOLDER_VARIABLES.join('|')})\\}`, 'g')
const UNKNOWN_TOOL = 'inconnu'
/** The most digits that a count in a placeholder can have. */
const COUNT_DIGITS = 16
/** The most UTF-16 units of a first line, which has 80 characters at most. */
const FIRST_LINE_UNITS = 160

/** A template, split once for all results. */
export interface Template {
  readonly source: string
  /** Its first text; each of the variables is followed by another. */
  readonly start: string
  readonly variables: readonly { readonly name: PlaceholderVariable; readonly after: string }[]
  /** Length of its texts. */
  readonly fixedLength: number
  /** Variables that the call determines, the number of those that are counts, and of those that are the first line. */
  readonly ofCall: readonly PlaceholderVariable[]
  readonly counts: number
  readonly firstLines: number
  /** False if a caller can change what a placeholder shows: the arguments, and by the counter the tokens. */
  readonly isStable: boolean
}

let lastTemplate: Template = splitTemplate('')

/** The last template is cached. */
function templateOf(source: string): Template {
  if (lastTemplate.source !== source) lastTemplate = splitTemplate(source)
  return lastTemplate
}

function splitTemplate(source: string): Template {
  const [start = '', ...pieces] = source.split(VARIABLE)
  const variables: Template['variables'][number][] = []
  for (let index = 0; index < pieces.length; index += 2) {
    // Constants are compared faster than parts of a template.
    const name = PLACEHOLDER_VARIABLES.find((variable) => variable === pieces[index])
    variables.push({ name: name as PlaceholderVariable, after: pieces[index + 1] as string })
  }
  return {
    source,
    start,
    variables,
    fixedLength: variables.reduce((length, { after }) => length + after.length, start.length),
    ofCall: variables.map(({ name }) => name).filter(isOfCall),
    counts: variables.filter(({ name }) => isCount(name)).length,
    firstLines: variables.filter(({ name }) => name === 'first_line').length,
    isStable: variables.every(
      ({ name }) => name !== 'tool_arguments' && name !== 'original_tokens',
    ),
  }
}

/** Replaces the variables of a template in one pass; other text in braces is not changed. */
export function renderPlaceholder(
  template: string,
  facts: PlaceholderFacts,
  tokens: number | undefined,
): string {
  const split = templateOf(template)
  const { memory } = facts
  if (memory?.template === split) return memory.placeholder
  const { start, variables, isStable } = split
  let text = start
  for (let at = 0; at < variables.length; at++) {
    const { name, after } = variables[at] as Template['variables'][number]
    if (name === 'original_chars') text += facts.chars
    else if (name === 'original_tokens') text += tokens ?? `{${name}}`
    else text += variableText(name, facts)
    text += after
  }
  if (isStable && memory !== undefined) {
    memory.template = split
    memory.placeholder = text
  }
  return text
}

/** True if the length of a result is one that a placeholder of this template for this call can have. */
export function canBePlaceholder(template: string, facts: PlaceholderFacts): boolean {
  const { fixedLength, counts, firstLines, ofCall } = templateOf(template)
  const { length } = facts
  let shortest = fixedLength + counts
  if (length < shortest) return false
  for (let at = 0; at < ofCall.length; at++)
    shortest += variableText(ofCall[at] as PlaceholderVariable, facts).length
  const freedom = counts * (COUNT_DIGITS - 1) + firstLines * FIRST_LINE_UNITS
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
    const value = isCount(name)
      ? `\\d{1,${COUNT_DIGITS}}`
      : isOfCall(name)
        ? escapeForPattern(variableText(name, facts))
        : isFirst
          ? FIRST_LINE
          : SAME_LINE
    if (name === 'first_line') isFirst = false
    return value + escapeForPattern(after)
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

/** True for a variable that the call determines, whatever the text of the result. */
function isOfCall(variable: PlaceholderVariable): boolean {
  return !isCount(variable) && variable !== 'first_line'
}

function isCount(variable: string): boolean {
  return variable === 'original_chars' || variable === 'original_tokens'
}

function variableText(name: PlaceholderVariable, facts: PlaceholderFacts): string {
  if (name === 'tool_call_id') return facts.callId ?? ''
  if (name === 'tool_name') return facts.toolName ?? UNKNOWN_TOOL
  return name === 'first_line' ? facts.firstLine : facts.toolArguments
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** Templates to choose from, in two languages. */
export const TEMPLATE_KINDS = ['full', 'short', 'arguments', 'first_line'] as const

export type TemplateKind = (typeof TEMPLATE_KINDS)[number]

export const TEMPLATE_LANGUAGES = ['french', 'english'] as const

export type TemplateLanguage = (typeof TEMPLATE_LANGUAGES)[number]

/** `french.full` is the default of Schema 1; its specification is in French. */
export const TEMPLATES: Readonly<Record<TemplateLanguage, Readonly<Record<TemplateKind, string>>>> =
  {
    french: {
      full: DEFAULT_PLACEHOLDER,
      short: '[Résultat masqué : {tool_name} {tool_call_id}]',
      arguments: '[Résultat masqué : {tool_name} {tool_arguments}]',
      first_line: '[Résultat masqué : {tool_name} {tool_call_id} : {first_line}]',
    },
    english: {
      full: '[Observation masked: old tool result (tool_call_id={tool_call_id}, tool={tool_name}, chars={original_chars})]',
      short: '[Masked result: {tool_name} {tool_call_id}]',
      arguments: '[Masked result: {tool_name} {tool_arguments}]',
      first_line: '[Masked result: {tool_name} {tool_call_id}: {first_line}]',
    },
  }
