import type { ReadConversation } from '../conversation/conversation'
import { jsonTextAt, type Place, readPlace } from '../text/embedded-json'
import type { Offset } from '../text/span'
import { type ArgumentsCheck, checkArguments } from './check-arguments'
import { type RepairResult, repairArguments } from './repair-arguments'
import { REPAIR_LIMITS, type RepairLimits } from './repair-limits'
import { measureRepairs, type RepairMetrics } from './repair-metrics'
import { toolSchemasByName } from './tool-schemas'

/** A document as read: what its arguments are taken from. */
export interface RepairableDocument {
  readonly text: string
  /** Id of its format. */
  readonly format: string
  readonly conversations: readonly ReadConversation[]
}

/** A call whose arguments do not parse, or are an object where the format has text. */
export interface BrokenCall {
  /** Indices in the document. */
  readonly conversation: number
  readonly message: number
  readonly name: string | undefined
  readonly id: string | undefined
  /** Where the arguments stand, quotes included. */
  readonly place: Place
  /** The arguments as a tool would be given them. */
  readonly before: string
  readonly result: Omit<RepairResult, 'value'>
  /** Undefined when no schema of this tool is sent, or nothing was repaired. */
  readonly check: ArgumentsCheck | undefined
}

export interface DocumentRepair {
  readonly calls: readonly BrokenCall[]
  readonly metrics: RepairMetrics
}

/** Where the arguments of functions are text. */
const TEXT_FORMATS: ReadonlySet<string> = new Set(['openai-chat', 'openai-responses', 'codex'])
/** Where `input` is arguments; elsewhere it is the free text of a custom tool. Other keys, such as `action`, hold commands. */
const INPUT_FORMATS: ReadonlySet<string> = new Set([
  'anthropic-messages',
  'bedrock-converse',
  'claude-code',
  'ai-sdk',
])
/** The provider's own tools whose arguments are an object where those of functions are text. */
const OBJECT_TOOLS: ReadonlySet<string> = new Set(['tool_search'])

/** Repairs the arguments of all calls of a document within one circuit breaker; see `repairDocumentInSteps`. */
export function repairDocument(
  document: RepairableDocument,
  limits?: RepairLimits,
): DocumentRepair {
  const steps = repairDocumentInSteps(document, limits)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/**
 * Looks at every call of a document and repairs what does not parse; yields after each broken one the characters read.
 * Calls after the circuit breaker has opened are given back as they came, marked with the reason.
 */
export function* repairDocumentInSteps(
  document: RepairableDocument,
  limits: RepairLimits = REPAIR_LIMITS,
): Generator<number, DocumentRepair> {
  const { text, format } = document
  const now = limits.now ?? (() => 0)
  const started = now()
  const calls: BrokenCall[] = []
  const results: RepairResult[] = []
  const seen = new Set<Offset>()
  let valid = 0
  let attempts = 0
  for (const [conversation, { calls: made, toolSchemas }] of document.conversations.entries()) {
    const schemas = toolSchemasByName(toolSchemas)
    for (const { argumentsAt: place, name, id, message } of made) {
      // Conversations that branch share the messages before.
      if (place === undefined || seen.has(place.start)) continue
      seen.add(place.start)
      const broken = brokenArguments(text, format, name, place)
      if (broken === undefined) {
        valid++
        continue
      }
      const result = repairOne(broken, {
        ...limits,
        attempts: limits.attempts - attempts,
        milliseconds: limits.milliseconds - (now() - started),
      })
      attempts += result.attempts
      results.push(result)
      const { value, ...told } = result
      const schema = name === undefined ? undefined : schemas.get(name)
      const isChecked = schema !== undefined && result.state === 'repaired'
      const check = isChecked ? checkArguments(value, schema) : undefined
      calls.push({
        conversation,
        message,
        name,
        id,
        place,
        before: broken.text,
        result: told,
        check,
      })
      yield broken.text.length
    }
  }
  return { calls, metrics: measureRepairs(valid, results) }
}

interface BrokenArguments {
  readonly text: string
  readonly isText: boolean
}

/** The arguments at a place, where they are not what the format wants; undefined when they are. */
function brokenArguments(
  source: string,
  format: string,
  name: string | undefined,
  place: Place,
): BrokenArguments | undefined {
  if (!isArgumentsKey(keyBefore(source, place.start), format)) return undefined
  const value = readPlace(source, place)
  if (typeof value !== 'string') {
    const isOdd =
      TEXT_FORMATS.has(format) &&
      typeof value === 'object' &&
      value !== null &&
      !(name !== undefined && OBJECT_TOOLS.has(name))
    return isOdd ? { text: jsonTextAt(source, place), isText: false } : undefined
  }
  try {
    JSON.parse(value)
    return undefined
  } catch {
    return { text: value, isText: true }
  }
}

function isArgumentsKey(key: string | undefined, format: string): boolean {
  if (key === 'arguments' || key === 'args') return true
  // What the AI SDK keeps of arguments it could not parse is in `rawInput`.
  return (key === 'input' || key === 'rawInput') && INPUT_FORMATS.has(format)
}

/** The key of the value at `start`, the last word of one with dots; that of an attribute where it is written beside. */
function keyBefore(source: string, start: Offset): string | undefined {
  const before = source.slice(Math.max(0, start - 300), start)
  const key = /"(?:[\w.]*\.)?(\w+)\\*"\s*:\s*$/.exec(before)?.[1]
  if (key !== 'stringValue') return key
  return /"key\\*"\s*:\s*\\*"(?:[\w.]*\.)?(\w+)\\*"\s*,\s*\\*"value\\*"\s*:\s*\{\s*\\*"stringValue\\*"\s*:\s*$/.exec(
    before,
  )?.[1]
}

function repairOne({ text, isText }: BrokenArguments, limits: RepairLimits): RepairResult {
  const result = repairArguments(text, limits)
  // An object becomes text in its own spelling: its numbers would not survive being written anew.
  return isText ? result : { ...result, state: 'repaired', strategy: 'serialised_object' }
}
