import { countCodePoints } from '../core/conversation/count-code-points'
import type { ReadDocument } from '../core/formats/read-document'
import { type MaskedDocument, maskDocument } from '../core/mask/mask-document'
import { describeProblem } from '../core/problem'
import { loadEncoding } from '../core/tokens/encoding'
import { chooseEncoding, MODEL_FLAG, needsTokens } from './count-tokens'
import type { ParsedFlags } from './parse-flags'
import { POLICY_FLAGS, policyFromFlags, readConfig } from './policy-flags'
import { readConversations, readText } from './read-input'
import type { Command } from './run-command'
import { UsageError } from './usage-error'
import { writeAsChat } from './write-as-chat'

/** One tool result of a document as `--decisions` prints it. */
export interface PrintedDecision {
  /** Index of the conversation in the document, and of the message in it, from 0. */
  readonly conversation: number
  readonly message: number
  readonly tool_call_id: string | null
  /** Null when no call answers to the id, or the call has no name. */
  readonly tool: string | null
  /** Number of the tool turn, from 1; null for a result that belongs to none. */
  readonly turn: number | null
  readonly action: 'mask' | 'keep'
  readonly reason: string
  /** Unicode code points of the result's text before and after. */
  readonly chars_before: number
  readonly chars_after: number
}

const CHAT = 'openai-chat'

export const maskCommand: Command = {
  usage: [
    'Masks the old tool results of a conversation, in any format that is read: JSON or JSON Lines.',
    '',
    'npm run --silent mask -- FILE [flags]    prints the masked document; - reads standard input',
    'npm run --silent mask -- FILE --decisions    prints why each result is kept or masked',
    'npm run --silent mask -- FILE --as openai-chat    prints it, masked, as a body of chat completions',
    '',
    'Only the masked strings differ from the input, but for --as. Exit status 2, and no output, when something is wrong.',
  ].join('\n'),
  flags: [
    {
      name: 'decisions',
      kind: 'switch',
      help: 'print a JSON array instead, one object for each tool result; conversation and message count from 0, turn from 1',
    },
    {
      name: 'as',
      kind: 'value',
      shown: CHAT,
      help: 'write the messages as a body of chat completions, several conversations as JSON Lines of bodies; what they cannot hold is listed on standard error',
    },
    ...POLICY_FLAGS,
    MODEL_FLAG,
  ],
  run: async (flags, context) => {
    const name = fileName(flags)
    const isForChat = asksForChat(flags)
    const policy = policyFromFlags(flags, await readConfig(flags, context))
    const document = readConversations(name, await readText(name, context))
    for (const problem of document.problems) context.warn(`${name}: ${describeProblem(problem)}`)
    const encoding = chooseEncoding(flags)
    const masked = maskDocument(
      { text: document.source.text, conversations: document.conversations },
      policy,
      needsTokens(policy) ? (await loadEncoding(encoding)).countTokens : undefined,
    )
    if (flags.values.get('decisions') === true)
      return `${JSON.stringify(printedDecisions(document, masked), null, 2)}\n`
    if (!isForChat) return masked.text
    return writeAsChat(document, masked, (sentence) => context.warn(`${name}: ${sentence}`))
  },
}

/** Whether the document is to be written as chat completions; it is written as nothing else. */
function asksForChat({ values }: ParsedFlags): boolean {
  const wanted = values.get('as')
  if (wanted === undefined) return false
  if (wanted !== CHAT) throw new UsageError(`--as ${wanted} is not written; expected --as ${CHAT}.`)
  if (values.get('decisions') === true)
    throw new UsageError('--as and --decisions print two things; give one of them.')
  return true
}

function fileName({ positionals }: ParsedFlags): string {
  const [name, ...more] = positionals
  if (name === undefined) {
    throw new UsageError('Which file? Name one, or - for standard input; --help says more.')
  }
  if (more.length > 0) {
    throw new UsageError(`One file at a time: found ${positionals.join(', ')}.`)
  }
  return name
}

function printedDecisions(document: ReadDocument, masked: MaskedDocument): PrintedDecision[] {
  return document.conversations.flatMap(({ results }, conversation) =>
    results.map((result, index): PrintedDecision => {
      const decision = masked.decisions[conversation]?.[index]
      if (decision === undefined) throw new RangeError(`No decision for result ${index}.`)
      const { placeholder } = decision
      return {
        conversation,
        message: result.message,
        tool_call_id: result.callId ?? null,
        tool: result.toolName ?? null,
        turn: result.turn === undefined ? null : result.turn + 1,
        action: decision.action,
        reason: decision.reason,
        chars_before: result.chars,
        chars_after: placeholder === undefined ? result.chars : countCodePoints(placeholder),
      }
    }),
  )
}
