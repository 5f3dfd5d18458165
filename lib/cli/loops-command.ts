import type { ReadConversation } from '../core/conversation/conversation'
import { findRepeatedCalls } from '../core/loop/find-repeated-calls'
import type { RepeatedCallsReport } from '../core/loop/repeated-calls-report'
import { createArgumentRepair } from '../core/loop/signature'
import { ENGLISH_FORMAT } from '../core/report/figure-format'
import { countConversation } from '../core/tokens/count-conversation'
import { loadEncoding } from '../core/tokens/encoding'
import { LOOP_FLAGS, loopOptionsFrom } from './loop-flags'
import { chooseEncoding, MODEL_FLAG } from './model-flag'
import { READ_FLAGS, readOneTranscript } from './read-input'
import type { Command } from './run-command'

export const loopsCommand: Command = {
  usage: [
    'Finds repeated calls in a transcript, and the calls that the guards of a tool loop would have stopped.',
    '',
    'loops FILE    prints what was found, conversation by conversation; - reads standard input',
    'loops FILE --json    prints the same as JSON, turns and messages counted from 1',
  ].join('\n'),
  flags: [
    { name: 'json', kind: 'switch', help: 'print everything that was found, as JSON' },
    ...READ_FLAGS,
    ...LOOP_FLAGS,
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
    if (flags.values.get('json') === true)
      return `${JSON.stringify({ conversations: inspected.map(asJson) }, null, 2)}\n`
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
  const heading = `${conversation.label}: ${several(calls, 'call')}, ${CLOCKS[clock]}; ${stopped.length} stopped, ${several(tokens, 'token')}`
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

const several = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

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
  const again = ({
    call,
    earlier,
    turnsApart,
    timeApart,
    tokens,
  }: RepeatedCallsReport['repeatedIds'][number] | RepeatedCallsReport['repeats'][number]) => ({
    ...place(call),
    earlier_turn: turnOf(conversation, earlier),
    turns_apart: turnsApart,
    seconds_apart: timeApart === undefined ? null : timeApart / 1000,
    tokens,
  })
  return {
    label: conversation.label,
    messages: messages.length,
    clock: report.clock,
    calls: report.calls,
    repeats: report.repeats.map((repeat) => ({
      ...again(repeat),
      same_result: repeat.isSameResult ?? null,
    })),
    repeated_ids: report.repeatedIds.map((repeat) => ({
      ...again(repeat),
      same_call: repeat.isSameCall,
    })),
    beyond_limit: report.overLimit.map(({ call, position, tokens }) => {
      return { ...place(call), position: position + 1, tokens }
    }),
    ping_pongs: report.pingPongs.map(({ calls: turns, tokens }) => {
      return { calls: turns.map(place), tokens }
    }),
    repeated_errors: report.repeatedErrors.map(({ toolName, results: same, tokens }) => ({
      tool: toolName ?? null,
      messages: same.map((result) => (results[result]?.message ?? 0) + 1),
      tokens,
    })),
    stopped: report.stopped.map(({ call, guard, tokens, refusalTokens }) => {
      return { ...place(call), guard, tokens, refusal_tokens: refusalTokens }
    }),
  }
}
