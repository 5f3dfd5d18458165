import type { Conversation, ToolResult } from '@/lib/core/conversation/conversation'
import type { PolicyOfModel } from '@/lib/core/policy/break-even'
import { type DecideSources, type Decision, decide } from '@/lib/core/policy/decide'
import { DEFAULT_POLICY, isSamePolicy, needsCounts } from '@/lib/core/policy/policy'
import type { Calibration } from '@/lib/core/replay/calibration/calibrate-session'
import type { PreparedReplay } from '@/lib/core/replay/prepare-replay'
import { replayUnmasked } from '@/lib/core/replay/replay'
import type { CostTerms } from '@/lib/core/replay/request-terms'
import type { Session } from '@/lib/core/replay/sessions'
import { type ConversationCounts, requestTokens } from '@/lib/core/tokens/count-conversation'
import type { EncodingId } from '@/lib/core/tokens/encoding'
import type { PreparedReplayWithoutSession, SessionInput } from '@/lib/worker/jobs'
import type { ReadSource } from '../document/document-slice'
import { slicesOf, textOfResult } from '../document/selectors'
import { MOST_INPUTS, memoize, perDocument } from '../store'

/** What the policies of a document share: those that differ in their window only have the same inputs and answers. */
export const sharedOf = perDocument(() => {
  let withoutWindows: readonly PolicyOfModel[] = []
  return {
    /** The policy without the settings that a prepared replay does not depend on. */
    withoutWindow: (policy: PolicyOfModel): PolicyOfModel => {
      const { windowTurns, batchTurns } = DEFAULT_POLICY
      const rest = { ...policy, enabled: true, windowTurns, batchTurns }
      const isKnown = (other: PolicyOfModel) =>
        isSamePolicy(other, rest) && other.cache === rest.cache
      const known = withoutWindows.find(isKnown) ?? rest
      const others = withoutWindows.filter((other) => other !== known)
      withoutWindows = [known, ...others].slice(0, MOST_INPUTS)
      return known
    },
    placeholdersInput: memoize(
      (document: number, template: string, _: EncodingId) => ({ document, template }),
      MOST_INPUTS,
    ),
    sessionInput: memoize(
      (
        document: number,
        session: number,
        policy: PolicyOfModel,
        calibration: Calibration | undefined,
        _: EncodingId,
      ): SessionInput => ({ document, session, policy, calibration }),
      MOST_INPUTS,
    ),
    withSession: memoize(
      (session: Session, prepared: PreparedReplayWithoutSession): PreparedReplay => ({
        session,
        ...prepared,
      }),
      MOST_INPUTS,
    ),
    unmasked: memoize(
      (prepared: PreparedReplay, terms: CostTerms) => replayUnmasked(prepared, terms),
      MOST_INPUTS,
    ),
  }
})

/** Decides a conversation; undefined while the policy needs counts that are not there. */
export function decideWith(
  ...given: Parameters<typeof sourcesOf>
): readonly Decision[] | undefined {
  const [, conversation, policy] = given
  const sources = sourcesOf(...given)
  return sources && decide(conversation, policy, sources)
}

/** What decisions are made with; undefined while the policy needs counts that are not there. */
export function sourcesOf(
  { source }: Pick<ReadSource, 'source'>,
  conversation: Conversation,
  policy: PolicyOfModel,
  counts: ConversationCounts | undefined,
  placeholderTokens: readonly number[] | undefined,
): DecideSources | undefined {
  if (needsCounts(policy) && counts === undefined) return undefined
  if (policy.neverGrow && placeholderTokens === undefined) return undefined
  return {
    textOf: (index) => textOfResult(slicesOf(source), conversation.results[index] as ToolResult),
    tokensOf: counts && ((index) => counts.results[index] as number),
    placeholderTokensOf: placeholderTokens && ((index) => placeholderTokens[index] as number),
    requestTokens: counts && ((end) => requestTokens(counts, end)),
  }
}
