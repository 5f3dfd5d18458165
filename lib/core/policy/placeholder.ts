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

/** A template, split once for all results. */
interface Template {
  readonly source: string
  /** Its first text; each of the variables is followed by another. */
  readonly start: string
  readonly variables: readonly { readonly name: PlaceholderVariable; readonly after: string }[]
  /** Length of its texts. */
  readonly fixedLength: number
  /** Variables whose values are numbers. */
  readonly counts: number
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
    if (name !== undefined) variables.push({ name, after: pieces[index + 1] ?? '' })
  }
  return {
    source,
    start,
    variables,
    fixedLength: variables.reduce((length, { after }) => length + after.length, start.length),
    counts: variables.filter(({ name }) => isCount(name)).length,
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
    if (name === 'original_chars') text += facts.chars
    else if (name === 'original_tokens') text += tokens ?? `{${name}}`
    else text += variableText(name, facts)
    text += after
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
  const { start, variables, fixedLength, counts } = templateOf(template)
  const { length } = facts
  let shortest = fixedLength + counts
  if (length < shortest) return false
  for (const { name } of variables) if (!isCount(name)) shortest += variableText(name, facts).length
  if (length < shortest || length > shortest + counts * (COUNT_DIGITS - 1)) return false
  const found = text()
  if (!found.startsWith(start)) return false
  const pattern = variables.map(({ name, after }) => {
    const value = isCount(name)
      ? `\\d{1,${COUNT_DIGITS}}`
      : escapeForPattern(variableText(name, facts))
    return value + escapeForPattern(after)
  })
  return new RegExp(`^${escapeForPattern(start)}${pattern.join('')}$`).test(found)
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
