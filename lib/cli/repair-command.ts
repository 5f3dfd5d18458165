import { ReadError } from '../core/problem'
import { type RepairResult, repairArguments } from '../core/repair/repair-arguments'
import type { BrokenCall, RepairMetrics } from '../core/repair/repair-document'
import {
  measureRepairs,
  namedCounts,
  repairDocument,
  shortfallOf,
} from '../core/repair/repair-document'
import { repairEdits } from '../core/repair/repair-edits'
import { REPAIR_LIMITS, type RepairOptions } from '../core/repair/repair-limits'
import { riskOf } from '../core/repair/repair-strategies'
import { applyEdits } from '../core/text/span'
import { flagsOf, type ParsedFlags, printJson, UsageError } from './flags'
import {
  fileArgument,
  READ_FLAGS,
  type ReadChoice,
  readChoice,
  readConversations,
  readText,
  readTextOrBody,
} from './read-input'
import type { Command, CommandContext } from './run-command'
import texts from './texts.json' with { type: 'json' }

const { failures: FAILURES, no_transcript: NO_TRANSCRIPT } = texts.repair

export const repairCommand: Command = {
  usage: texts.repair.usage.join('\n'),
  flags: [...flagsOf(texts.repair.flags, { ...REPAIR_LIMITS }), ...READ_FLAGS],
  run: async (flags, context) => {
    const name = fileArgument(flags)
    const limits = limitsFrom(flags)
    const text = await readText(name, context)
    const isReport = flags.isOn('json')
    const document = transcriptIn(name, text, readChoice(flags), context)
    if (document === undefined) return repairBare(name, text, limits, isReport, context)

    const { source, format, conversations } = document
    const read = { text: source.text, format: format.id, conversations }
    const { calls, metrics } = repairDocument(read, limits)
    if (isReport)
      return printJson({ input: 'transcript', ...counts(metrics), calls: calls.map(reportCall) })
    for (const call of calls) {
      const failure = shortfallOf(call.result)
      const sentence =
        failure === undefined ? doubtOf(call.result) : `left as it is, ${FAILURES[failure]}.`
      if (sentence === undefined) continue
      // Counted from 1, as on the page; the report has indices.
      context.warn(`${name}: message ${call.message + 1}, ${call.name ?? 'a call'}: ${sentence}`)
    }
    return applyEdits(source.text, repairEdits(calls))
  },
}

function limitsFrom(flags: ParsedFlags): RepairOptions {
  const limit = (name: string) => flags.number(name, /^\d{1,9}$/, 'a whole number from 0')
  return {
    enabled: !flags.isOn('no-limits'),
    wrapInput: flags.isOn('wrap-input'),
    attempts: limit('max-attempts') ?? REPAIR_LIMITS.attempts,
    milliseconds: limit('max-milliseconds') ?? REPAIR_LIMITS.milliseconds,
  }
}

/** Reads the text as a transcript; undefined if it is not one, and then it is the arguments of one call. */
function transcriptIn(name: string, text: string, choice: ReadChoice, { warn }: CommandContext) {
  if (choice.format !== undefined || choice.isRepaired === true)
    return readConversations(name, text, warn, choice)
  try {
    return readTextOrBody(name, text, warn)
  } catch (error) {
    if (error instanceof ReadError) return undefined
    throw error
  }
}

function repairBare(
  name: string,
  text: string,
  options: RepairOptions,
  isReport: boolean,
  { warn }: CommandContext,
): string {
  const result = repairArguments(text, options)
  if (/"role"\s*:/.test(text)) warn(`${name}: ${NO_TRANSCRIPT}`)
  if (isReport) {
    return printJson({
      input: 'arguments',
      ...counts(measureRepairs(0, [result])),
      ...reportResult(text, result),
    })
  }
  if (result.failure !== undefined) {
    throw new UsageError(
      `${name}: the arguments could not be repaired: ${FAILURES[result.failure]}.`,
    )
  }
  if (!result.isObject) warn(`${name}: ${FAILURES.not_an_object}.`)
  const doubt = doubtOf(result)
  if (doubt !== undefined) warn(`${name}: ${doubt}`)
  return result.text
}

const MOST_PLACES = 5

/** Where a repair may have lost data, else where it may have merged two calls, and by what; undefined if nowhere. */
function doubtOf({ fixes }: Pick<RepairResult, 'fixes'>): string | undefined {
  const isLoss = fixes.some(({ risk }) => risk === 'loss')
  const places = fixes
    .filter(({ risk, strategy }) => (isLoss ? risk === 'loss' : strategy === 'disjoint_objects'))
    .map(({ start, strategy }) => `character ${start + 1} (${strategy})`)
  const [...found] = new Set(places)
  if (found.length === 0) return undefined
  const more = found.length > MOST_PLACES ? ` and ${found.length - MOST_PLACES} more` : ''
  const said = isLoss ? 'data may be missing' : 'two calls may be in one text'
  return `${said} at ${found.slice(0, MOST_PLACES).join(', ')}${more}, counted in the arguments.`
}

/** The counts, under our names and those of the specification. */
function counts(metrics: RepairMetrics) {
  return { metrics: { ...metrics, ...namedCounts(metrics) } }
}

function reportCall({ conversation, message, name, id, before, result, check }: BrokenCall) {
  return {
    conversation,
    message,
    tool: name ?? null,
    tool_call_id: id ?? null,
    ...reportResult(before, result),
    schema: check ?? null,
  }
}

function reportResult(before: string, result: Omit<RepairResult, 'value'>) {
  const { state, text, strategy, failure, fixes } = result
  return {
    state,
    before,
    after: text,
    strategy: strategy ?? null,
    failure: failure ?? null,
    is_object: result.isObject,
    may_lose_data: riskOf(result) === 'loss',
    fixes: fixes.map(({ start, end, ...fix }) => ({
      strategy: fix.strategy,
      risk: fix.risk,
      offset: start,
      removed: before.slice(start, end),
      inserted: fix.text,
    })),
  }
}
