/** Limits of the guards, and what the session would cost with them. */

import { ALL_GUARDS, type Guard } from '@/lib/core/loop/guards'
import type { StyleLanguage } from '@/lib/core/loop/loop-texts'
import type { Tokens } from '@/lib/core/replay/prompt-cache'
import { replaceResultTokens } from '@/lib/core/replay/replace-result-tokens'
import { type Replay, replayPrepared } from '@/lib/core/replay/replay'
import { termsOf } from '../costs/cost-terms'
import { ofPolicy } from '../costs/tried-mechanism'
import { preparedReplayOf, replayOf, windowOf } from '../policy/policy-view'
import { type PlaygroundStore, select } from '../store'
import { loopReportOf } from './found-repeats'
import type { LoopField, LoopSettings } from './loop-settings'
import { DEFAULT_LOOP_SETTINGS, withLoopField } from './loop-settings'

export function createLoopActions({ setState: set }: PlaygroundStore) {
  const change = (next: (settings: LoopSettings) => LoopSettings) =>
    set(({ loop }) => ({ loop: { ...loop, settings: next(loop.settings) } }))
  return {
    setGuard: (guard: Guard, isOn: boolean) =>
      change((settings) => ({ ...settings, guards: { ...settings.guards, [guard]: isOn } })),
    /** Sets a limit, in its field's unit; it is limited to the field's bounds. */
    setLoopField: (field: LoopField, value: number) =>
      change((settings) => withLoopField(settings, field, value)),
    /** Undefined once no view shows it. */
    showNextRequest: (requestLanguage: StyleLanguage | undefined) =>
      set(({ loop }) => ({ loop: { ...loop, requestLanguage } })),
    resetLoop: () => change(() => ({ ...DEFAULT_LOOP_SETTINGS, guards: ALL_GUARDS })),
  }
}

const guardedOf = select(
  [
    preparedReplayOf,
    termsOf,
    (state) => loopReportOf(state)?.stopped,
    windowOf,
    ({ policy }) => policy.triggerTokens,
  ],
  (preparedReplay, terms, stopped, window, triggerTokens): Replay => {
    const tokens = new Map<number, Tokens>()
    for (const { results, refusalTokens } of stopped)
      for (const [at, result] of results.entries()) tokens.set(result, at === 0 ? refusalTokens : 0)
    const guarded = replaceResultTokens(preparedReplay, tokens, triggerTokens)
    return replayPrepared(guarded, window, terms)
  },
)

/**
 * Replays the session with refusals in place of the results of stopped calls. It cannot know what the agent would
 * have done instead. Undefined until the replay is prepared and the prices are loaded.
 */
export const loopSavingsOf = ofPolicy(
  select([replayOf, guardedOf], (was, guarded) => ({ was, guarded })),
)
