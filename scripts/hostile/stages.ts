/** What the table of hostile inputs runs. Each returns a sentence on what happened. */
import type { ReadConversation } from '../../lib/core/conversation/conversation'
import { errorRulesOf } from '../../lib/core/conversation/error-rules'
import { createUnpackBudget } from '../../lib/core/files/byte-sink'
import { unpack } from '../../lib/core/files/unpack'
import { readDocument } from '../../lib/core/formats/read-document'
import { decodeFile } from '../../lib/core/formats/reading/decode-file'
import { maskDocument } from '../../lib/core/mask/mask-document'
import { DEFAULT_POLICY } from '../../lib/core/policy/policy'
import { describeProblem, ReadError } from '../../lib/core/problem'
import { repairArguments } from '../../lib/core/repair/repair-arguments'
import { prepareReplay } from '../../lib/core/replay/prepare-replay'
import { UNKNOWN_PRICES } from '../../lib/core/replay/price-sheet'
import { replayPrepared } from '../../lib/core/replay/replay'
import { createSessions } from '../../lib/core/replay/sessions'
import { sweepPrepared } from '../../lib/core/replay/sweep'
import { unpackText } from '../../lib/core/share/link/packed-text'
import { readSettingsLink } from '../../lib/core/share/link/settings-link'
import { findSecrets } from '../../lib/core/share/secrets/find-secrets'
import { readPolicyToml } from '../../lib/core/share/toml/read-policy-toml'
import { writePolicyIntoToml } from '../../lib/core/share/toml/write-policy-toml'
import { countConversation } from '../../lib/core/tokens/count-conversation'
import { loadEncoding } from '../../lib/core/tokens/encoding'

export type Input = string | Uint8Array
export type Stage = (input: Input) => string | Promise<string>

const POLICY = { ...DEFAULT_POLICY, enabled: true }
const TERMS = { prices: UNKNOWN_PRICES, rule: { kind: 'none' } } as const
const { countTokens } = await loadEncoding('o200k_base')

const textOf = (input: Input) => (typeof input === 'string' ? input : decodeFile(input))

const plural = (count: number, word: string) =>
  `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`

/** Reads, counts and masks a text; the sessions wait to be replayed. */
function open(input: Input) {
  const text = textOf(input)
  const { conversations, problems } = readDocument(text)
  const counts = conversations.map((one) => countConversation(one, countTokens))
  const { decisions } = maskDocument({ text, conversations }, POLICY, countTokens)
  const prepared = createSessions(conversations, counts)
    .slice(0, 20)
    .map((session) => {
      const { resultTexts } = conversations[
        session.conversations.at(-1) as number
      ] as ReadConversation
      return prepareReplay(session, POLICY, {
        textOf: (index) => resultTexts[index]?.join('') ?? '',
        placeholderTokensOf: (_, placeholder) => countTokens(placeholder),
      })
    })
  return { conversations, problems, counts, decisions, prepared }
}

export const STAGES = {
  /** Reads, counts, masks, and replays the first sessions. */
  open: (input) => {
    const { conversations, problems, counts, decisions, prepared } = open(input)
    for (const one of prepared) replayPrepared(one, POLICY, TERMS)
    const messages = conversations.reduce((sum, one) => sum + one.messages.length, 0)
    const tokens = counts.flatMap((one) => one.messages).reduce((sum, count) => sum + count, 0)
    const masked = decisions.flat().filter(({ action }) => action === 'mask').length
    const parts = [
      ...(conversations.length > 1 ? [plural(conversations.length, 'conversation')] : []),
      plural(messages, 'message'),
      plural(tokens, 'token'),
      `${masked.toLocaleString('en')} of ${plural(decisions.flat().length, 'result')} masked`,
      ...(problems[0]
        ? [`${plural(problems.length, 'problem')}: ${describeProblem(problems[0])}`]
        : []),
    ]
    return parts.join('; ')
  },
  /** The same, and every window in batches of 1 and 8. */
  sweep: (input) => {
    const { prepared } = open(input)
    const rows = prepared.flatMap((one) => sweepPrepared(one, TERMS, { batches: [1, 8] }).rows)
    return plural(
      rows.reduce((sum, { tokens }) => sum + tokens.length, 0),
      'setting',
    )
  },
  'error rules': (input) => `marks: ${errorRulesOf(textOf(input)).join(', ') || 'none'}`,
  'secret scan': async (input) => plural((await findSecrets(textOf(input))).length, 'secret'),
  repair: (input) => {
    const { state, failure } = repairArguments(textOf(input))
    return failure === undefined ? state : `${state}: ${failure}`
  },
  TOML: (input) => {
    const read = readPolicyToml(textOf(input))
    if (read.state === 'failed') return read.reason
    const written = writePolicyIntoToml(textOf(input), read.policy)
    return `${plural(read.problems.length, 'problem')}; ${written.state}`
  },
  link: (input) => plural(readSettingsLink(textOf(input)).problems.length, 'problem'),
  'transcript in a link': (input) => unpackText(textOf(input)).state.replace('_', ' '),
  archive: async (input) => {
    const files = await unpack('a.zip', input as Uint8Array, createUnpackBudget())
    const problem = files.find((file) => 'problem' in file)
    return problem !== undefined && 'problem' in problem
      ? describeProblem(problem.problem)
      : plural(files.length, 'file')
  },
} satisfies Record<string, Stage>

/** Runs a stage; the sentence of a refusal is an outcome too. Other errors are not caught. */
export async function outcomeOf(name: keyof typeof STAGES, input: Input): Promise<string> {
  try {
    return await STAGES[name](input)
  } catch (error) {
    if (error instanceof ReadError) return describeProblem(error.problem)
    throw error
  }
}
