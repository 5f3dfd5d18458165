/** Cost of the session if the guards had stopped calls. */
import type { PreparedReplay } from '@/lib/core/replay/prepare-replay'
import { replaceResultTokens } from '@/lib/core/replay/replace-result-tokens'
import { type CostTerms, type Replay, replayPrepared } from '@/lib/core/replay/replay'
import type { Tokens } from '@/lib/core/replay/units'
import { costTermsOf } from '../costs/cost-terms'
import { preparedReplayOf, replayOf } from '../policy/policy-view'
import { memoize } from '../select'
import type { PlaygroundState } from '../store'
import { loopReportOf } from './repeated-calls'

/** The session without and with guards, each unmasked and masked. */
export interface LoopSavings {
  readonly was: Replay
  readonly guarded: Replay
}

const replayed = memoize(
  (
    preparedReplay: PreparedReplay,
    terms: CostTerms,
    stopped: NonNullable<ReturnType<typeof loopReportOf>>['stopped'],
    windowTurns: number,
    batchTurns: number,
    triggerTokens: Tokens,
  ): Replay => {
    const tokens = new Map<number, Tokens>()
    for (const { results, refusalTokens } of stopped)
      for (const [at, result] of results.entries()) tokens.set(result, at === 0 ? refusalTokens : 0)
    const guarded = replaceResultTokens(preparedReplay, tokens, triggerTokens)
    return replayPrepared(guarded, { windowTurns, batchTurns }, terms)
  },
)

/**
 * Replays the session with refusals in place of the results of stopped calls. It cannot know what the agent would
 * have done instead. Undefined until the replay is prepared and the prices are loaded.
 */
export function loopSavingsOf(state: PlaygroundState): LoopSavings | undefined {
  const was = replayOf(state)
  const preparedReplay = preparedReplayOf(state)
  const terms = costTermsOf(state)?.terms
  const stopped = loopReportOf(state)?.stopped
  if (!was || !preparedReplay || !terms || !stopped) return undefined
  const { enabled, windowTurns, batchTurns, triggerTokens } = state.policy
  const window = enabled ? windowTurns : 0
  const guarded = replayed(preparedReplay, terms, stopped, window, batchTurns, triggerTokens)
  return remember(was, guarded)
}

const remember = memoize((was: Replay, guarded: Replay): LoopSavings => ({ was, guarded }))
