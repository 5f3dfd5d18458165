/** What the session would have cost, had the guards been there. */
import type { MaskFacts } from '@/lib/core/replay/mask-facts'
import { type CostTerms, type Replay, replayFacts } from '@/lib/core/replay/replay'
import type { Tokens } from '@/lib/core/replay/units'
import { withResultTokens } from '@/lib/core/replay/with-result-tokens'
import { loopReportOf } from './loop'
import { remembered } from './remembered'
import { factsOf, replayOf } from './savings'
import { termsOf } from './savings-terms'
import type { PlaygroundState } from './store'

/** The session as it was and as it would have been, each whole and masked. */
export interface LoopSavings {
  readonly was: Replay
  readonly guarded: Replay
}

const replayed = remembered(
  (
    facts: MaskFacts,
    terms: CostTerms,
    stopped: NonNullable<ReturnType<typeof loopReportOf>>['stopped'],
    windowTurns: number,
    batchTurns: number,
    triggerTokens: Tokens,
  ): Replay => {
    const tokens = new Map<number, Tokens>()
    for (const { results, refusalTokens } of stopped)
      for (const [at, result] of results.entries()) tokens.set(result, at === 0 ? refusalTokens : 0)
    const guarded = withResultTokens(facts, tokens, triggerTokens)
    return replayFacts(guarded, { windowTurns, batchTurns }, terms)
  },
)

/**
 * The requests of the session with the refusal of each stopped call in the place of its results; what the agent would
 * have done instead is not known. Undefined until facts and prices are there.
 */
export function loopSavingsOf(state: PlaygroundState): LoopSavings | undefined {
  const was = replayOf(state)
  const facts = factsOf(state)
  const terms = termsOf(state)?.terms
  const stopped = loopReportOf(state)?.stopped
  if (!was || !facts || !terms || !stopped) return undefined
  const { enabled, windowTurns, batchTurns, triggerTokens } = state.policy
  const window = enabled ? windowTurns : 0
  const guarded = replayed(facts, terms, stopped, window, batchTurns, triggerTokens)
  return remember(was, guarded)
}

const remember = remembered((was: Replay, guarded: Replay): LoopSavings => ({ was, guarded }))
