import type { ReadConversation } from '../core/conversation/conversation'
import type { ReadDocument } from '../core/formats/read-document'
import { changePercent, measureCounted } from '../core/mask/measure-request'
import type { MaskPolicy } from '../core/policy/policy'
import type { PreparedReplay } from '../core/replay/prepare-replay'
import type { Session } from '../core/replay/sessions'
import { countsUntil } from '../core/tokens/count-conversation'
import type { Encoding } from '../core/tokens/encoding'
import type { MeasuredSessions } from './measure-sessions'

/**
 * The effect of masking on a document, summed over its conversations. Each counts as the next request to be sent.
 * Characters are Unicode code points.
 */
export interface DocumentMeasure {
  readonly conversations: number
  readonly messages: number
  readonly turns: number
  readonly tool_results: number
  readonly masked_tool_results: number
  readonly tool_chars_before: number
  readonly tool_chars_after: number
  readonly request_chars_before: number
  readonly request_chars_after: number
  readonly tokens_before: number
  readonly tokens_after: number
  /** Change of the tokens in percent, negative for fewer tokens; null if there were none. */
  readonly delta_percent: number | null
}

type Sums = Omit<DocumentMeasure, 'delta_percent'>

const NOTHING: Sums = {
  conversations: 0,
  messages: 0,
  turns: 0,
  tool_results: 0,
  masked_tool_results: 0,
  tool_chars_before: 0,
  tool_chars_after: 0,
  request_chars_before: 0,
  request_chars_after: 0,
  tokens_before: 0,
  tokens_after: 0,
}

/** Measures one document under a policy, in the tokens that its sessions are replayed in. */
export function measureDocument(
  { conversations }: Pick<ReadDocument, 'conversations'>,
  { sessions, prepared, slopes }: Pick<MeasuredSessions, 'sessions' | 'prepared' | 'slopes'>,
  policy: MaskPolicy,
  { countTokens }: Encoding,
): DocumentMeasure {
  const measureOf = (conversation: ReadConversation, at: number): Sums => {
    const { messages, results, resultTexts } = conversation
    const { counts } = sessions[at] as Session
    const request = measureCounted(
      { conversation, resultTexts, counts: countsUntil(counts, messages.length, results.length) },
      policy,
      countTokens,
      { counts: (prepared[at] as PreparedReplay).session.counts, slope: slopes[at] as number },
    )
    return {
      conversations: 1,
      messages: request.messages,
      turns: conversation.turnCount,
      tool_results: request.results,
      masked_tool_results: request.maskedResults,
      tool_chars_before: request.resultChars.before,
      tool_chars_after: request.resultChars.after,
      request_chars_before: request.chars.before,
      request_chars_after: request.chars.after,
      tokens_before: request.tokens.before,
      tokens_after: request.tokens.after,
    }
  }
  return sumMeasures(
    sessions.flatMap((session, at) =>
      session.conversations.map((index) => measureOf(conversations[index] as ReadConversation, at)),
    ),
  )
}

/** The sum of several measures, with the change of the total. */
export function sumMeasures(measures: readonly Sums[]): DocumentMeasure {
  const sums = { ...NOTHING }
  for (const measure of measures) {
    for (const key of Object.keys(NOTHING) as (keyof Sums)[]) sums[key] += measure[key]
  }
  const percent = changePercent({ before: sums.tokens_before, after: sums.tokens_after })
  return { ...sums, delta_percent: percent ?? null }
}
