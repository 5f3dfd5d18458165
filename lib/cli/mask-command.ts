import { describeLoss, LOSS_KINDS } from '../core/convert/loss'
import { type ChatBody, convertToChat } from '../core/convert/to-chat'
import type { ReadDocument } from '../core/formats/read-document'
import { type MaskedDocument, maskDocument, printDecisions } from '../core/mask/mask-document'
import { sentRequest } from '../core/mechanisms/write-request'
import { DEFAULT_POLICY, type MaskPolicy, needsCounts } from '../core/policy/policy'
import { policyOfModel } from '../core/replay/cache-rules'
import { UNKNOWN_PRICES } from '../core/replay/price-sheet'
import type { CostTerms } from '../core/replay/request-terms'
import { offeredRules } from '../core/results/rule-effects'
import { resultOf } from '../core/steps'
import { compactJson } from '../core/text/json'
import { type Encoding, loadEncoding } from '../core/tokens/encoding'
import { modelOfDocument } from '../core/tokens/model-families'
import { inEnglish } from '../core/words/english'
import { phrase } from '../core/words/words'
import type { ChosenMechanism } from './bench-mechanisms'
import { chosenMechanism, MECHANISM_IDS, pricedHistories } from './bench-mechanisms'
import { chooseEncoding, MODEL_FLAG } from './cost-flags'
import { flagsOf, type ParsedFlags, printJson, UsageError } from './flags'
import { measuredSessions } from './measure-document'
import { POLICY_FLAGS, readPolicy } from './policy-flags'
import { READ_FLAGS, readOneTranscript } from './read-input'
import type { Command } from './run-command'
import texts from './texts.json' with { type: 'json' }

const CHAT = 'openai-chat'

export const maskCommand: Command = {
  usage: texts.mask.usage.join('\n'),
  flags: [
    ...flagsOf(texts.mask.flags, { mechanisms: MECHANISM_IDS }),
    ...READ_FLAGS,
    ...POLICY_FLAGS,
    MODEL_FLAG,
  ],
  run: async (flags, context) => {
    const isForChat = asksForChat(flags)
    const policy = await readPolicy(flags, context)
    const chosen = chosenMechanism(flags, policy)
    if (chosen !== undefined && flags.isOn('decisions'))
      throw new UsageError('--mechanism and --decisions print two things; give one of them.')
    const { name, document } = await readOneTranscript(flags, context)
    const warn = (sentence: string) => context.warn(`${name}: ${sentence}`)
    if (chosen !== undefined)
      return lastRequests(document, chosen, await loadEncoding(chooseEncoding(flags)), warn)
    warnOfUnknownTools(policy, document, warn)
    if (!policy.nearestCall) warnOfReusedIds(document, warn)
    const encoding = chooseEncoding(flags)
    const named = flags.values.get('model')?.toString()
    const masked = maskDocument(
      { text: document.source.text, conversations: document.conversations },
      policyOfModel(policy, named ?? modelOfDocument(document.conversations)),
      needsCounts(policy) ? (await loadEncoding(encoding)).countTokens : undefined,
    )
    const decided = masked.decisions.flat()
    const kept = decided.filter(({ reason }) => reason === 'before_signed_thinking').length
    if (kept > 0)
      warn(inEnglish(phrase('kept_signed', { n: kept, setting: '--before-signed-thinking mask' })))
    const results = document.conversations.flatMap((conversation) => conversation.results)
    const offered = offeredRules(results, (at) => decided[at]?.action === 'mask', policy)
    if (offered.results > 0) warn(sentenceOfOffered(offered, policy))
    if (flags.isOn('decisions'))
      return printJson(printDecisions(document.conversations, masked.decisions))
    if (!isForChat) return masked.text
    return writeAsChat(document, masked, warn)
  },
}

/** The last request of each session as a mechanism sends it, several as JSON Lines. */
function lastRequests(
  { conversations, source }: ReadDocument,
  { mechanism, settings }: ChosenMechanism,
  encoding: Encoding,
  warn: (sentence: string) => void,
): string {
  const terms = { termsFor: () => NO_TERMS, model: modelOfDocument(conversations) ?? '' }
  const measured = measuredSessions(conversations, DEFAULT_POLICY, encoding, terms, false)
  const histories = pricedHistories(conversations, measured, encoding).map((one) => one.history)
  const bodies = histories.map((one) => convertToChat(source.text, one.session.conversation))
  warnOfLosses(bodies, warn)
  const sent = histories.flatMap(
    (history) => resultOf(sentRequest(history, mechanism, settings)) ?? [],
  )
  if (sent.length === 0)
    throw new UsageError('No request can be seen: nothing stands before the first answer.')
  return oneOrLines(sent)
}

/** The only text, or several as JSON Lines. */
function oneOrLines(all: readonly { readonly text: string }[]): string {
  const [only, ...more] = all
  if (only !== undefined && more.length === 0) return only.text
  return all.map(({ text }) => `${compactJson(text)}\n`).join('')
}

const NO_TERMS: CostTerms = { prices: UNKNOWN_PRICES, rule: { kind: 'none' } }

/** An excluded name that no tool has is often misspelt, and the results it was to keep are masked. */
function warnOfUnknownTools(
  { excludeTools }: MaskPolicy,
  { conversations }: ReadDocument,
  warn: (sentence: string) => void,
): void {
  const names = new Set(
    conversations.flatMap(({ results }) => results.map(({ toolName }) => toolName)),
  )
  for (const tool of excludeTools)
    if (!names.has(tool)) warn(`no result is from the excluded tool ${JSON.stringify(tool)}.`)
}

/** A result belongs to the last call with its id, so the results of an id that every turn uses are never old. */
export function warnOfReusedIds({ conversations }: ReadDocument, warn: (sentence: string) => void) {
  const results = conversations.flatMap((conversation) => conversation.results)
  const { length } = results.filter(({ nearest }) => nearest !== undefined)
  if (length > 0)
    warn(
      `${length} ${length === 1 ? 'result has' : 'results have'} an id that a later call reuses, and count as its results; --nearest-call links each to the nearest call before it.`,
    )
}

function sentenceOfOffered(
  { rules, results }: ReturnType<typeof offeredRules>,
  { errorRules }: MaskPolicy,
): string {
  const masked = results === 1 ? '1 masked result looks' : `${results} masked results look`
  return `${masked} like an error by rules that are off (${rules.join(', ')}); --error-rules ${[...errorRules, ...rules].join(',')} keeps what they match.`
}

/** True if `--as openai-chat` is set; a `UsageError` for any other format. */
function asksForChat(flags: ParsedFlags): boolean {
  const wanted = flags.text('as')
  if (wanted === undefined) return false
  if (wanted !== CHAT) throw new UsageError(`--as ${wanted} is not written; expected --as ${CHAT}.`)
  if (flags.isOn('decisions'))
    throw new UsageError('--as and --decisions print two things; give one of them.')
  return true
}

/**
 * Writes the masked conversations of a document as bodies of chat completions, several as JSON Lines. `warn` receives
 * a sentence for each kind of content that chat completions cannot hold.
 */
function writeAsChat(
  { source, conversations }: ReadDocument,
  { decisions }: Pick<MaskedDocument, 'decisions'>,
  warn: (sentence: string) => void,
): string {
  const bodies = conversations.map((conversation, at) => {
    const placeholders = decisions[at]?.map(({ placeholder }) => placeholder)
    return convertToChat(source.text, conversation, placeholders)
  })
  warnOfLosses(bodies, warn)
  return oneOrLines(bodies)
}

/** A sentence for each kind of content that chat completions cannot hold. */
function warnOfLosses(bodies: readonly Pick<ChatBody, 'lost'>[], warn: (sentence: string) => void) {
  const all = bodies.flatMap(({ lost }) => lost)
  for (const kind of LOSS_KINDS) {
    const count = all.reduce((sum, one) => sum + (one.kind === kind ? one.count : 0), 0)
    if (count > 0) warn(describeLoss({ kind, count }))
  }
}
