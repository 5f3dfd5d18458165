import { countBy } from '../conversation/add-to-group'
import type { ReadConversation } from '../conversation/conversation'
import { resultOf, type Steps } from '../steps'
import { embeddedJsonText, type JsonSpan, readValueAt } from '../text/embedded-json'
import { isJsonObject, parseJson } from '../text/json'
import type { Offset, TextSlices } from '../text/span'
import { type ArgumentsCheck, checkArguments, toolSchemasByName } from './check-arguments'
import { type RepairFailure, type RepairResult, repairArguments } from './repair-arguments'
import { clockOf, REPAIR_LIMITS, type RepairOptions } from './repair-limits'
import { type RepairRisk, riskOf, STRATEGY_NAMES, type StrategyName } from './repair-strategies'

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
export function repairDocument(document: RepairableDocument, options?: RepairOptions) {
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
      const place = { conversation, message, name, id, span }
      calls.push({ ...place, before: broken.text, result: reported, check })
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

/** Why arguments do not count as repaired: the repair failed, or they are JSON but no object. */
export type RepairShortfall = RepairFailure | 'not_an_object'

export type RepairMetrics = Readonly<ReturnType<typeof measureRepairs>>

type Counted = Omit<RepairResult, 'value'>

/** Sums up the results of all calls that needed a repair. `valid` is the number of calls that did not. */
export function measureRepairs(valid: number, results: readonly Counted[]) {
  const failed = results.flatMap((result) => shortfallOf(result) ?? [])
  const kept = results.filter((result) => shortfallOf(result) === undefined)
  const repaired = kept.filter(({ state }) => state !== 'valid')
  const strategies = repaired.flatMap((result) => [
    ...new Set([result, ...result.fixes].map(({ strategy }) => strategy)),
  ])
  const byStrategy = countBy(strategies, (name) => name)
  /** Repaired calls by the highest risk of their fixes. */
  const byRisk: Record<RepairRisk, number> = { none: 0, guess: 0, loss: 0 }
  for (const result of repaired) byRisk[riskOf(result)]++
  const time = results.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  return {
    /** Number of calls checked. */
    calls: valid + results.length,
    valid: valid + kept.length - repaired.length,
    repaired: repaired.length,
    failed: failed.length,
    byRisk,
    /** Number of calls whose repair was tried; the limit of attempts is of these. */
    attempts: results.reduce((sum, { attempts }) => sum + attempts, 0),
    /** Repaired calls by strategy, in the order of `STRATEGY_NAMES`. A call counts for each of its strategies. */
    byStrategy: STRATEGY_NAMES.flatMap((strategy) => {
      const calls = byStrategy.get(strategy)
      return calls === undefined ? [] : [{ strategy, calls }]
    }),
    failures: Array.from(
      countBy(failed, (why) => why),
      ([failure, calls]) => ({ failure, calls }),
    ),
    /** Average time of a repair; undefined without one. */
    averageMilliseconds: results.length === 0 ? undefined : time / results.length,
  }
}

export function shortfallOf({ failure, isObject }: Counted): RepairShortfall | undefined {
  return failure ?? (isObject ? undefined : 'not_an_object')
}

/**
 * The counts under the names of the specification. Nothing is evaluated: what its `eval_fallback` is for, texts that a
 * program would read, `jsonrepair` reads here without running them.
 */
export function namedCounts(metrics: RepairMetrics) {
  const { attempts, repaired, failed, byStrategy, failures, averageMilliseconds } = metrics
  const callsBy = (name: StrategyName) =>
    byStrategy.find(({ strategy }) => strategy === name)?.calls ?? 0
  const others = {
    eval_fallback: callsBy('jsonrepair'),
    reconstruct_basic: callsBy('reconstructed_pairs'),
    reconstruct_complex: callsBy('reconstructed_tokens'),
  }
  const byOthers = Object.values(others).reduce((sum, calls) => sum + calls, 0)
  return {
    total_attempts: attempts,
    successful_repairs: repaired,
    failed_repairs: failed,
    success_by_strategy: { direct_fix: repaired - byOthers, ...others, all_failed: failed },
    failure_reasons: failures.flatMap(({ failure, calls }) => Array<string>(calls).fill(failure)),
    average_time_ms: averageMilliseconds ?? null,
  }
}
