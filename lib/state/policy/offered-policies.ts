/** What each of the policies that a view compares does to the session, as the page has it once such a policy is in use. */

import { isSameSetting, POLICY_FIELDS } from '@/lib/core/policy/policy'
import type { ReplayFigures } from '@/lib/core/replay/replay-figures'
import { memoize, optional, type PlaygroundState, select } from '../store'
import { forgottenOf, forgottenWith } from '../uses/later-uses'
import { current, offered, pinned } from './policy-view'

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

export type Comparison = NonNullable<ReturnType<typeof comparisonOf>>

const fieldsOf = select([({ pinned }) => pinned, ({ policy }) => policy], (a, b) =>
  POLICY_FIELDS.filter(({ key }) => !isSameSetting(a[key], b[key])),
)

/** Results that A and B decide differently, or mask with different placeholders; undefined until both are decided. */
const differingOf = select(
  [pinned.decisionsOf, current.decisionsOf, ({ conversation }) => conversation],
  (all, others, at) =>
    (all[at] ?? []).flatMap((a, result) => {
      const b = others[at]?.[result]
      return a.action === b?.action && a.placeholder === b.placeholder ? [] : [result]
    }),
)

const forgottenByPinnedOf = forgottenWith(pinned)

/** Undefined if no policy is pinned. */
export const comparisonOf = select(
  [
    (state) => state.pinned,
    ({ policy }) => policy,
    optional(pinned.measureOf),
    optional(current.measureOf),
    optional((state) => pinned.figuresOf(state)?.after),
    optional((state) => current.figuresOf(state)?.after),
    optional((state) => forgottenByPinnedOf(state)?.length),
    optional((state) => forgottenOf(state)?.length),
    fieldsOf,
    optional(differingOf),
  ],
  (policyA, policyB, measureA, measureB, sessionA, sessionB, lostA, lostB, fields, differing) => ({
    // Measures are undefined until everything is counted, sessions until they are replayed, losses until they are found.
    a: { policy: policyA, measure: measureA, session: sessionA, forgotten: lostA },
    b: { policy: policyB, measure: measureB, session: sessionB, forgotten: lostB },
    fields,
    differing,
  }),
)
