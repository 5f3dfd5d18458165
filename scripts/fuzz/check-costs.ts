/** Checks counts, replay and sweep of a document. */
import type { ReadConversation } from '../../lib/core/conversation/conversation'
import type { ReadDocument } from '../../lib/core/formats/read-document'
import type { MaskedDocument } from '../../lib/core/mask/mask-document'
import type { MaskPolicy } from '../../lib/core/policy/policy'
import { CACHE_FAMILIES } from '../../lib/core/replay/cache-rules'
import { decideRequest } from '../../lib/core/replay/decide-request'
import { prepareReplay } from '../../lib/core/replay/prepare-replay'
import { UNKNOWN_PRICES } from '../../lib/core/replay/price-sheet'
import { type Replay, replayPrepared } from '../../lib/core/replay/replay'
import { createSessions } from '../../lib/core/replay/sessions'
import { pointAt, sweepPrepared } from '../../lib/core/replay/sweep'
import { countQuarters } from '../../lib/core/testing/policies'
import type { ConversationCounts } from '../../lib/core/tokens/count-conversation'
import { must } from './check-text'

const RULE = CACHE_FAMILIES[0]?.rule ?? { kind: 'none' }

export function checkCounts(document: ReadDocument, counts: readonly ConversationCounts[]): void {
  for (const [at, { messages, results, perRequest }] of counts.entries()) {
    const conversation = document.conversations[at] as ReadConversation
    must(messages.length === conversation.messages.length, 'a count for each message')
    must(results.length === conversation.results.length, 'a count for each result')
    const isCount = (count: number) => Number.isSafeInteger(count) && count >= 0
    must([...messages, ...results, perRequest].every(isCount), 'whole counts of at least 0')
  }
}

export function checkReplay(
  { conversations }: ReadDocument,
  counts: readonly ConversationCounts[],
  masked: MaskedDocument,
  policy: MaskPolicy,
): Replay | undefined {
  let last: Replay | undefined
  for (const session of createSessions(conversations, counts).slice(0, 4)) {
    const at = session.conversations.at(-1) as number
    const { resultTexts } = conversations[at] as ReadConversation
    const sources = {
      textOf: (index: number) => resultTexts[index]?.join('') ?? '',
      placeholderTokensOf: (_: number, placeholder: string) => countQuarters(placeholder),
    }
    const terms = { prices: UNKNOWN_PRICES, rule: RULE }
    const prepared = prepareReplay(session, policy, sources)
    const window = policy.enabled ? policy : { windowTurns: 0, batchTurns: 1 }
    const replayed = replayPrepared(prepared, window, terms)
    last = replayed
    for (const { tokens, split } of [replayed.before, replayed.after]) {
      must(split.read + split.written + split.fresh === tokens, 'each token counted once')
      must(tokens >= 0 && split.read >= 0 && split.written >= 0, 'tokens of at least 0')
    }
    const swept = sweepPrepared(prepared, terms, { batches: [1, window.batchTurns] })
    must(swept.before.tokens === replayed.before.tokens, 'the same total without masking')
    const point = pointAt(swept, window)
    if (point !== undefined)
      must(point.total.tokens === replayed.after.tokens, 'the total of the sweep')
    const end = session.requests.length - 1
    if (end < 0 || session.requests[end]?.end !== session.conversation.messages.length) continue
    const decided = decideRequest(session, end, policy, sources)
    const count = (decisions: readonly { readonly action: string }[]) =>
      decisions.filter(({ action }) => action === 'mask').length
    must(replayed.requests[end]?.maskedResults === count(decided), 'the replay masks as it decides')
    must(count(decided) === count(masked.decisions[at] ?? []), 'the replay masks as the document')
  }
  return last
}
