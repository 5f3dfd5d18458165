import type { ReadConversation } from '../core/conversation/conversation'
import {
  findRepeatedCalls,
  type RepeatedCall,
  type RepeatedCallsOptions,
  type RepeatedCallsReport,
  type RepeatedId,
} from '../core/loop/find-repeated-calls'
import { createArgumentRepair } from '../core/loop/signature'
import {
  ALL_GUARDS,
  DEFAULT_LIMITS,
  type Guard,
  GUARDS as LOOP_GUARDS,
  type LoopLimits,
} from '../core/loop/tool-call-manager'
import { ENGLISH_FORMAT } from '../core/report/figure-format'
import { countConversation } from '../core/tokens/count-conversation'
import { loadEncoding } from '../core/tokens/encoding'
import { inEnglish } from '../core/words/english'
import { chooseEncoding, MODEL_FLAG } from './cost-flags'
import { type Flag, flag, type ParsedFlags, printJson, several } from './parse-flags'
import { READ_FLAGS, readOneTranscript } from './read-input'
import type { Command } from './run-command'

/** The flag of each guard; `--no-` before the name turns the guard off. */
const GUARDS: Readonly<Record<Guard, Flag>> = {
  batch_limit: flag(
    'batch-limit',
    'drop calls beyond --calls-per-batch (on; --no-batch-limit turns it off)',
  ),
  duplicate: flag('duplicate', 'skip a call that repeats one of its batch (on)'),
  ANTI_LOOP_ID: flag('same-id', 'refuse an id again within --id-window (on)'),
  ANTI_LOOP_SIGNATURE: flag(
    'same-call',
    'refuse the same call again within --signature-window, or --signature-turns (on)',
  ),
}

const SECOND = 1000
const DEFAULT_SIGNATURE_TURNS = 3
const DEFAULT_FEWEST_ERRORS = 3

/** A limit, how many of its units are one unit of its flag, and the flag. */
const LIMITS: readonly (readonly [keyof LoopLimits, number, name: string, help: string])[] = [
  ['callsPerBatch', 1, 'calls-per-batch', 'calls of a batch that are run'],
  ['idWindow', SECOND, 'id-window', 'seconds before an id may be run again'],
  ['signatureWindow', SECOND, 'signature-window', 'seconds before the same call may be run again'],
  ['historyEntries', 1, 'history', 'calls remembered'],
]

export const loopsCommand: Command = {
  usage: [
    'Finds repeated calls in a transcript, and the calls that the guards of a tool loop would have stopped.',
    '',
    'loops FILE    prints what was found, conversation by conversation; - reads standard input',
    'loops FILE --json    prints the same as JSON, turns and messages counted from 1',
  ].join('\n'),
  flags: [
    flag('json', 'print everything that was found, as JSON'),
    ...READ_FLAGS,
    ...Object.values(GUARDS),
    ...LIMITS.map(([limit, scale, name, help]) =>
      flag(name, `${help} (${DEFAULT_LIMITS[limit] / scale})`, 'N'),
    ),
    flag(
      'signature-turns',
      `without times, turns before the same call may be run again (${DEFAULT_SIGNATURE_TURNS})`,
      'N',
    ),
    flag(
      'fewest-errors',
      `how often the same error must occur to be listed (${DEFAULT_FEWEST_ERRORS})`,
      'N',
    ),
    MODEL_FLAG,
  ],
  run: async (flags, context) => {
    const options = loopOptionsFrom(flags)
    const { countTokens } = await loadEncoding(chooseEncoding(flags))
    const { conversations } = (await readOneTranscript(flags, context)).document
    const repair = createArgumentRepair()
    const inspected = conversations.map((conversation): Inspected => {
      const counts = countConversation(conversation, countTokens)
      return {
        conversation,
        report: findRepeatedCalls(conversation, counts, countTokens, repair, options),
      }
    })
    if (flags.isOn('json')) return printJson({ conversations: inspected.map(asJson) })
    return `${inspected.flatMap(asLines).join('\n')}\n`
  },
}

interface Inspected {
  readonly conversation: ReadConversation
  readonly report: RepeatedCallsReport
}

const CLOCKS = { timestamps: 'by its times', turn_order: 'by turn order' } as const

/** A heading, and a line for each finding. */
function asLines({ conversation, report }: Inspected): string[] {
  const { calls, clock, stopped, repeats, repeatedIds, overLimit } = report
  const guardOf = new Map(stopped.map(({ call, guard }) => [call, guard]))
  const tokens = stopped.reduce((sum, call) => sum + call.tokens, 0)
  const heading = `${inEnglish(conversation.label)}: ${several(calls, 'call')}, ${CLOCKS[clock]}; ${stopped.length} stopped, ${several(tokens, 'token')}`
  const line = (call: number, what: string, spent: number) => {
    const guard = guardOf.get(call)
    const stop = guard === undefined ? '' : `, stopped by ${guard}`
    return `  ${nameOf(conversation, call)}: ${what}, ${several(spent, 'token')}${stop}`
  }
  const found = [
    ...repeats.map(({ call, earlier, isSameResult, turnsApart, timeApart, tokens: spent }) => {
      const far =
        turnsApart === 0
          ? 'in the same batch'
          : `${several(turnsApart, 'turn')}${timeApart === undefined ? '' : `, ${ENGLISH_FORMAT.duration(timeApart)}`} after turn ${turnOf(conversation, earlier)}`
      const same = { true: ', same result', false: ', other result', undefined: '' }
      return line(call, `again ${far}${same[`${isSameResult}`]}`, spent)
    }),
    ...repeatedIds.map(({ call, earlier, isSameCall, tokens: spent }) =>
      line(
        call,
        `the id of turn ${turnOf(conversation, earlier)} again, ${isSameCall ? 'same' : 'other'} call`,
        spent,
      ),
    ),
    ...overLimit.map(({ call, position, tokens: spent }) =>
      line(call, `call ${position + 1} of its batch`, spent),
    ),
    ...report.pingPongs.map(
      ({ calls: [first = 0, second = 0, ...rest], tokens: spent }) =>
        `  ${nameOf(conversation, first)}: takes turns with ${nameOf(conversation, second)}, ${rest.length + 2} calls, ${several(spent, 'token')}`,
    ),
    ...report.repeatedErrors.map(
      ({ toolName, results, tokens: spent }) =>
        `  ${toolName ?? 'no name'}: the same error ${results.length} times, ${several(spent, 'token')}`,
    ),
  ]
  return [heading, ...(found.length > 0 ? found : ['  no repeated calls'])]
}

const turnOf = ({ calls }: ReadConversation, call: number) => (calls[call]?.turn ?? 0) + 1

function nameOf(conversation: ReadConversation, call: number): string {
  const { name = 'no name', argumentsPreview } = conversation.calls[call] ?? {}
  return `turn ${turnOf(conversation, call)}, ${name} ${argumentsPreview ?? ''}`.trimEnd()
}

function asJson({ conversation, report }: Inspected) {
  const { messages, results, calls } = conversation
  const place = (call: number) => ({
    turn: turnOf(conversation, call),
    message: (calls[call]?.message ?? 0) + 1,
    tool: calls[call]?.name ?? null,
    tool_call_id: calls[call]?.id ?? null,
  })
  const again = ({ call, earlier, turnsApart, timeApart, tokens }: RepeatedCall | RepeatedId) => ({
    ...place(call),
    earlier_turn: turnOf(conversation, earlier),
    turns_apart: turnsApart,
    seconds_apart: timeApart === undefined ? null : timeApart / 1000,
    tokens,
  })
  return {
    label: inEnglish(conversation.label),
    messages: messages.length,
    clock: report.clock,
    calls: report.calls,
    repeats: report.repeats.map((repeat) => {
      return { ...again(repeat), same_result: repeat.isSameResult ?? null }
    }),
    repeated_ids: report.repeatedIds.map((repeat) => {
      return { ...again(repeat), same_call: repeat.isSameCall }
    }),
    beyond_limit: report.overLimit.map(({ call, position, tokens }) => {
      return { ...place(call), position: position + 1, tokens }
    }),
    ping_pongs: report.pingPongs.map(({ calls: turns, tokens }) => {
      return { calls: turns.map(place), tokens }
    }),
    repeated_errors: report.repeatedErrors.map(
      ({ toolName: tool = null, results: same, tokens }) => {
        return { tool, messages: same.map((at) => (results[at]?.message ?? 0) + 1), tokens }
      },
    ),
    stopped: report.stopped.map(({ call, guard, tokens, refusalTokens }) => {
      return { ...place(call), guard, tokens, refusal_tokens: refusalTokens }
    }),
  }
}

/** Reads guards and limits from flags. Throws a `UsageError` for a limit that is not a whole number from 1. */
function loopOptionsFrom(flags: ParsedFlags): RepeatedCallsOptions {
  const numberOf = (name: string) => flags.number(name, /^[1-9]\d{0,8}$/, 'a whole number from 1')
  const limits: Record<keyof LoopLimits, number> = { ...DEFAULT_LIMITS }
  for (const [limit, scale, name] of LIMITS)
    limits[limit] = (numberOf(name) ?? DEFAULT_LIMITS[limit] / scale) * scale
  const guards: Record<Guard, boolean> = { ...ALL_GUARDS }
  for (const guard of LOOP_GUARDS) guards[guard] = flags.values.get(GUARDS[guard].name) !== false
  return {
    limits,
    guards,
    signatureTurns: numberOf('signature-turns') ?? DEFAULT_SIGNATURE_TURNS,
    fewestErrors: numberOf('fewest-errors') ?? DEFAULT_FEWEST_ERRORS,
  }
}
