/** What each of the policies that a view compares does to the session, as the page has it once such a policy is in use. */
import type { ReplayFigures } from '@/lib/core/replay/replay-figures'
import { memoize, type PlaygroundState, select } from '../store'
import { forgottenWith } from '../uses/later-uses'
import { offered } from './policy-view'

export interface OfferedFigures extends Pick<ReplayFigures, 'before' | 'after'> {
  readonly forgotten: number
}

const eachOf = offered.map((view) =>
  select(
    [view.figuresOf, forgottenWith(view)],
    ({ before, after }, { length: forgotten }): OfferedFigures => ({ before, after, forgotten }),
  ),
)
const allOf = memoize((...all: readonly OfferedFigures[]) => all)

/** The figures in the order of the policies; undefined until all are there, and if others are offered. */
export function figuresOfOffer(state: PlaygroundState, policies: PlaygroundState['offered']) {
  if (state.offered !== policies) return undefined
  const all = policies?.map((_, at) => eachOf[at]?.(state))
  return all?.every((figures) => figures !== undefined) ? allOf(...all) : undefined
}
