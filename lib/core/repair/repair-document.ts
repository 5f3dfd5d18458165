import type { ReadConversation } from '../conversation/conversation'
import { type Place, readPlace } from '../text/embedded-json'
import type { Offset } from '../text/span'
import { type ArgumentsCheck, checkArguments, toolSchemasByName } from './check-arguments'
import { type RepairResult, repairArguments } from './repair-arguments'
import { REPAIR_LIMITS, type RepairLimits } from './repair-limits'
import { measureRepairs, type RepairMetrics } from './repair-metrics'

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
const INPUT_FORMATS: ReadonlySet<string> = new Set(['anthropic-messages', 'claude-code', 'ai-sdk'])

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
      const broken = brokenArguments(text, format, place)
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
  place: Place,
): BrokenArguments | undefined {
  const key = /"(\w+)\\*"\s*:\s*$/.exec(
    source.slice(Math.max(0, place.start - 60), place.start),
  )?.[1]
  const isKnown =
    key === 'arguments' || key === 'args' || (key === 'input' && INPUT_FORMATS.has(format))
  if (!isKnown) return undefined
  const value = readPlace(source, place)
  if (typeof value !== 'string') {
    const isOdd = typeof value === 'object' && value !== null && TEXT_FORMATS.has(format)
    return isOdd ? { text: writtenAt(source, place), isText: false } : undefined
  }
  try {
    JSON.parse(value)
    return undefined
  } catch {
    return { text: value, isText: true }
  }
}

/** The JSON text at a place as it is spelt, out of the strings it is written inside of. */
function writtenAt(source: string, { start, end, encoded }: Place): string {
  let text = source.slice(start, end)
  for (let level = 0; level < encoded; level++) text = JSON.parse(`"${text}"`) as string
  return text
}

function repairOne({ text, isText }: BrokenArguments, limits: RepairLimits): RepairResult {
  const result = repairArguments(text, limits)
  // An object becomes text in its own spelling: its numbers would not survive being written anew.
  return isText ? result : { ...result, state: 'repaired', strategy: 'serialised_object' }
}
