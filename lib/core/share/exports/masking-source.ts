/** Generates TypeScript that applies the policy. Each target adds the conversion of its messages to `Result`. */
import type { ErrorRule } from '../../conversation/conversation'
import { PLACEHOLDER_VARIABLES, type PlaceholderVariable } from '../../policy/placeholder'
import type { MaskPolicy } from '../../policy/policy'
import { type ExportInput, type ExportNote, isMaskingOff, keepsErrors, note } from './export-target'

/** Returns the source of the type, the error rules and the function `placeholders(results, turnCount)`. */
export function maskingSource(policy: MaskPolicy): string {
  return [RESULT_TYPE, errorSource(policy), placeholdersSource(policy)]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** Differences between the code and the policy: only what needs a tokenizer. */
export function sourceNotes({ policy }: ExportInput): ExportNote[] {
  const notes: ExportNote[] = []
  if (isMaskingOff(policy)) return [note('off')]
  if (policy.triggerTokens > 0) {
    notes.push(note('trigger_estimated', { tokens: policy.triggerTokens }))
  }
  if (policy.neverGrow || policy.placeholderTemplate.includes('{original_tokens}')) {
    notes.push(note('tokens_estimated'))
  }
  return notes
}

const RESULT_TYPE = `interface Result {
  readonly id: string
  readonly tool: string | undefined
  /** Index of the turn whose call it answers. */
  readonly turn: number
  /** Undefined if it is not only text: then it is not masked. */
  readonly text: string | undefined
  readonly input: unknown
  readonly isError: boolean
}`

const RULE_SOURCES: Readonly<Record<ErrorRule, string>> = {
  traceback: '/traceback/i.test(text)',
  exception: '/exception/i.test(text)',
  error_line: '/(?:^|[\\r\\n])error/i.test(text)',
  timeout: '/timeout/i.test(text)',
  connection: '/connect_error|connection refused/i.test(text)',
  json_error: 'isErrorJson(text)',
  flag: 'isError',
  stack_trace:
    '/traceback \\(most recent call last\\):\\r?\\n[ \\t]{1,16}File "/i.test(text) || /\\n(?: {4}|\\t)at [^\\n]{1,200}:\\d/.test(text)',
  exit_code:
    '/(?:exit(?:ed)?[ _-]?(?:with[ _-]?)?(?:code|status)|exited with|return[ _-]?code)["\']?[ \\t]{0,3}[:=]?[ \\t]{0,3}-?0{0,9}[1-9]/i.test(text)',
  error_flag: '/"is_?error"\\s*:\\s*true/i.test(text)',
  json_failure: '/"success"\\s*:\\s*false|"status"\\s{0,20}:\\s{0,20}"error"/i.test(text)',
}

const ERROR_JSON = `function isErrorJson(text: string): boolean {
  if (/"error"\\s*:/.test(text)) return true
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    return 'error' in value || ('status' in value && value.status === 'error')
  } catch {
    return false
  }
}`

/** True if the code does not look at texts of results to recognise errors. */
function isFlagOnly({ errorRules, errorPatterns }: MaskPolicy): boolean {
  return errorRules.every((rule) => rule === 'flag') && errorPatterns.length === 0
}

/** Lower case for ASCII letters only, so that no text gets longer. */
const PATTERN_SOURCE = 'text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())'

function errorSource(policy: MaskPolicy): string {
  const { errorRules, errorPatterns } = policy
  if (!keepsErrors(policy)) return ''
  const folded = errorPatterns.map((pattern) =>
    JSON.stringify(pattern.replace(/[A-Z]/g, (letter) => letter.toLowerCase())),
  )
  const rules = [
    ...errorRules.map((rule) => RULE_SOURCES[rule]),
    ...folded.map((pattern) => `${PATTERN_SOURCE}.includes(${pattern})`),
  ].join(' ||\n    ')
  const parameters = isFlagOnly(policy)
    ? '{ isError }: Result'
    : errorRules.includes('flag')
      ? '{ isError }: Result, text: string'
      : '_: Result, text: string'
  const looks = `function looksLikeError(${parameters}): boolean {\n  return (\n    ${rules}\n  )\n}`
  return errorRules.includes('json_error') ? `${ERROR_JSON}\n\n${looks}` : looks
}

function placeholdersSource(policy: MaskPolicy): string {
  const { windowTurns, batchTurns, excludeTools, keepLastKPerTool } = policy
  const start = `Math.max(0, turnCount - ${windowTurns})`
  const lines = [
    '/** Returns the placeholder of each masked result, by call id. */',
    'function placeholders(results: readonly Result[], turnCount: number): Map<string, string> {',
    '  const masked = new Map<string, string>()',
  ]
  lines.push(
    batchTurns > 1
      ? `  const firstKept = Math.floor(${start} / ${batchTurns}) * ${batchTurns}`
      : `  const firstKept = ${start}`,
  )
  if (keepLastKPerTool > 0) {
    lines.push(
      '  const lastIds = new Set<string>()',
      '  for (const [index, { id, tool }] of results.entries()) {',
      '    const later = results.slice(index + 1).filter((other) => other.tool === tool)',
      `    if (tool !== undefined && later.length < ${keepLastKPerTool}) lastIds.add(id)`,
      '  }',
    )
  }
  lines.push('  for (const result of results) {')
  const placeholder = templateSource(policy.placeholderTemplate)
  const hasTool = excludeTools.length > 0 || placeholder.includes(VARIABLE_SOURCES.tool_name)
  lines.push(`    const { id, ${hasTool ? 'tool, ' : ''}text } = result`)
  lines.push('    if (result.turn >= firstKept || text === undefined) continue')
  if (excludeTools.length > 0) {
    const names = excludeTools.map((name) => JSON.stringify(name)).join(', ')
    lines.push(`    if (tool !== undefined && [${names}].includes(tool)) continue`)
  }
  if (keepLastKPerTool > 0) lines.push('    if (lastIds.has(id)) continue')
  if (keepsErrors(policy)) {
    lines.push(`    if (looksLikeError(result${isFlagOnly(policy) ? '' : ', text'})) continue`)
  }
  lines.push(`    const placeholder = ${placeholder}`)
  if (policy.neverGrow) lines.push('    if (placeholder.length >= text.length) continue')
  lines.push('    masked.set(id, placeholder)', '  }', '  return masked', '}')
  return lines.join('\n')
}

const VARIABLE_SOURCES: Readonly<Record<PlaceholderVariable, string>> = {
  tool_call_id: 'id',
  tool_name: "tool ?? 'inconnu'",
  original_chars: '[...text].length',
  original_tokens: 'Math.ceil(text.length / 4)',
  tool_arguments: "[...JSON.stringify(result.input).replace(/\\s+/g, ' ')].slice(0, 80).join('')",
  first_line: "[...(/\\S.{0,159}/.exec(text)?.[0] ?? '')].slice(0, 80).join('').trimEnd()",
}

/** Converts the template to a JavaScript template literal. */
function templateSource(template: string): string {
  const variable = new RegExp(`\\{(${PLACEHOLDER_VARIABLES.join('|')})\\}`)
  // Every second piece is a variable's name.
  const pieces = template.split(new RegExp(variable, 'g')).map((piece, index) => {
    if (index % 2 === 1) return `\${${VARIABLE_SOURCES[piece as PlaceholderVariable]}}`
    return escapeLiteral(piece)
  })
  return `\`${pieces.join('')}\``
}

function escapeLiteral(text: string): string {
  return text
    .replace(/[\\`]|\$(?=\{|$)/g, '\\$&')
    .replaceAll('\r', '\\r')
    .replaceAll('\n', '\\n')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}
