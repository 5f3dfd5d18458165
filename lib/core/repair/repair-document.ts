import type { ReadConversation } from '../conversation/conversation'
import { resultOf, type Steps } from '../steps'
import { embeddedJsonText, type JsonSpan, readValueAt } from '../text/embedded-json'
import { isJsonObject, parseJson } from '../text/json'
import type { Offset, TextSlices } from '../text/span'
import { type ArgumentsCheck, checkArguments, toolSchemasByName } from './check-arguments'
import { type RepairResult, repairArguments } from './repair-arguments'
import { clockOf, REPAIR_LIMITS, type RepairOptions } from './repair-limits'
import { measureRepairs, type RepairMetrics } from './repair-metrics'

/** A document as read, with the calls to repair. */
export interface RepairableDocument {
  readonly text: TextSlices
  /** Id of its format. */
  readonly format: string
  readonly conversations: readonly ReadConversation[]
}

/** A call whose arguments do not parse to an object, or are an object where the format requires a string. */
export interface BrokenCall {
  /** Indices in the document. */
  readonly conversation: number
  readonly message: number
  readonly name: string | undefined
  readonly id: string | undefined
  /** Span of the arguments, quotes included. */
  readonly span: JsonSpan
  /** The arguments before the repair, as a tool would receive them. */
  readonly before: string
  readonly result: Omit<RepairResult, 'value'>
  /** Undefined if the request has no schema for this tool, or nothing was repaired. */
  readonly check: ArgumentsCheck | undefined
}

export interface DocumentRepair {
  readonly calls: readonly BrokenCall[]
  readonly metrics: RepairMetrics
}

/** Formats whose function arguments are a string. */
const TEXT_FORMATS: ReadonlySet<string> = new Set(['openai-chat', 'openai-responses', 'codex'])
/** Formats in which `input` holds arguments. In others it is the free text of a custom tool. */
const INPUT_FORMATS: ReadonlySet<string> = new Set([
  'anthropic-messages',
  'bedrock-converse',
  'claude-code',
  'droid',
  'ai-sdk',
  'opencode',
])
/** The provider's built-in tools whose arguments are an object even in `TEXT_FORMATS`. */
const OBJECT_TOOLS: ReadonlySet<string> = new Set(['tool_search'])

/** Repairs the arguments of all calls in a document within shared limits; see `repairDocumentInSteps`. */
export function repairDocument(
  document: RepairableDocument,
  options?: RepairOptions,
): DocumentRepair {
  return resultOf(repairDocumentInSteps(document, options))
}

/** Repairs every call and yields the characters read after each broken one. Calls after a limit stay unrepaired. */
export function* repairDocumentInSteps(
  document: RepairableDocument,
  options: RepairOptions = REPAIR_LIMITS,
): Steps<DocumentRepair> {
  const { text, format } = document
  const now = clockOf(options)
  const started = now()
  const calls: BrokenCall[] = []
  const results: RepairResult[] = []
  const seen = new Set<Offset>()
  let valid = 0
  let attempts = 0
  for (const [conversation, { calls: made, toolSchemas }] of document.conversations.entries()) {
    const schemas = toolSchemasByName(toolSchemas)
    for (const { argumentsSpan: span, name, id, message } of made) {
      // Branches of a conversation share the messages before the branch.
      if (span === undefined || seen.has(span.start)) continue
      seen.add(span.start)
      const broken = brokenArguments(text, format, name, span)
      if (broken === undefined) {
        valid++
        continue
      }
      const result = repairOne(broken, {
        ...options,
        attempts: options.attempts - attempts,
        milliseconds: options.milliseconds - (now() - started),
      })
      attempts += result.attempts
      results.push(result)
      const { value, ...reported } = result
      const schema = name === undefined ? undefined : schemas.get(name)
      const isChecked = schema !== undefined && result.isObject
      const check = isChecked ? checkArguments(value, schema) : undefined
      calls.push({
        conversation,
        message,
        name,
        id,
        span,
        before: broken.text,
        result: reported,
        check,
      })
      yield broken.text.length
    }
  }
  return { calls, metrics: measureRepairs(valid, results) }
}

/** Arguments at a span that are not valid in the format; undefined if they are. */
function brokenArguments(
  source: TextSlices,
  format: string,
  name: string | undefined,
  span: JsonSpan,
) {
  if (!isArgumentsKey(keyBefore(source, span.start), format)) return undefined
  const value = readValueAt(source, span)
  if (typeof value !== 'string') {
    const isMistyped =
      TEXT_FORMATS.has(format) &&
      typeof value === 'object' &&
      value !== null &&
      !(name !== undefined && OBJECT_TOOLS.has(name))
    return isMistyped ? { text: embeddedJsonText(source, span), isText: false } : undefined
  }
  return isJsonObject(parseJson(value)) ? undefined : { text: value, isText: true }
}

function isArgumentsKey(key: string | undefined, format: string): boolean {
  if (key === 'arguments' || key === 'args') return true
  if (key === 'parameters') return format === 'droid'
  // The AI SDK stores arguments it could not parse in `rawInput`.
  return (key === 'input' || key === 'rawInput') && INPUT_FORMATS.has(format)
}

/** Key of the value at `start`: the last part of a dotted key, the `key` of an OpenTelemetry attribute. */
function keyBefore(source: TextSlices, start: Offset): string | undefined {
  const before = source.slice(Math.max(0, start - 300), start)
  const key = /"(?:[\w.]*\.)?(\w+)\\*"\s*:\s*$/.exec(before)?.[1]
  if (key !== 'stringValue') return key
  return /"key\\*"\s*:\s*\\*"(?:[\w.]*\.)?(\w+)\\*"\s*,\s*\\*"value\\*"\s*:\s*\{\s*\\*"stringValue\\*"\s*:\s*$/.exec(
    before,
  )?.[1]
}

function repairOne(
  { text, isText }: NonNullable<ReturnType<typeof brokenArguments>>,
  options: RepairOptions,
): RepairResult {
  const result = repairArguments(text, options)
  // The object's own JSON is used, since reserialising would change large numbers.
  return isText || !result.isObject
    ? result
    : { ...result, state: 'repaired', strategy: 'serialised_object' }
}
