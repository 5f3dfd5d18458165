/** The cost of the session shown as a band. It loads with the views that show it. */
import { sessionBand } from '@/lib/core/replay/misses/cost-band'
import { current, figuresOf, preparedReplayOf } from '../policy/policy-view'
import { type PlaygroundState, select } from '../store'
import { termsOf } from './cost-terms'
import { isTrying } from './tried-mechanism'

const bandOnPageOf = select(
  [preparedReplayOf, current.replayOf, termsOf, current.windowOf],
  sessionBand,
)

/** The worker's for a session that it replays. Undefined until it is known, if a price is unknown or nothing is cached. */
export function bandOf(state: PlaygroundState) {
  if (isTrying(state)) return undefined
  return current.plainInputOf(state) === undefined ? bandOnPageOf(state) : figuresOf(state)?.band
}
