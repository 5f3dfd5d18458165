import { maskDocument } from '../core/mask/mask-document'
import { printDecisions } from '../core/mask/print-decisions'
import { loadEncoding } from '../core/tokens/encoding'
import { chooseEncoding, MODEL_FLAG, needsTokens } from './count-tokens'
import type { ParsedFlags } from './parse-flags'
import { POLICY_FLAGS, policyFromFlags, readConfig } from './policy-flags'
import { readConversations, readText } from './read-input'
import type { Command } from './run-command'
import { UsageError } from './usage-error'
import { writeAsChat } from './write-as-chat'

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
    const document = readConversations(name, await readText(name, context), context.warn)
    const encoding = chooseEncoding(flags)
    const masked = maskDocument(
      { text: document.source.text, conversations: document.conversations },
      policy,
      needsTokens(policy) ? (await loadEncoding(encoding)).countTokens : undefined,
    )
    if (flags.values.get('decisions') === true)
      return `${JSON.stringify(printDecisions(document.conversations, masked.decisions), null, 2)}\n`
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
