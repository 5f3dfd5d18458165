/** Compares the current policy (B) with the pinned one (A), on the next request and on the session. */
import { isSameSetting, POLICY_FIELDS } from '@/lib/core/policy/policy'
import { optional, select } from '../store'
import { forgottenOf, forgottenWith } from '../uses/later-uses'
import { current, pinned } from './policy-view'

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
