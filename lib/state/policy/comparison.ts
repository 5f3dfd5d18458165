/** Compares the current policy (B) with the pinned one (A), on the next request and on the session. */
import type { RequestMeasure } from '@/lib/core/mask/measure-request'
import type { Decision } from '@/lib/core/policy/decide'
import {
  isSameSetting,
  type MaskPolicy,
  POLICY_FIELDS,
  type PolicyField,
} from '@/lib/core/policy/policy'
import type { ReplaySide } from '@/lib/core/replay/replay'
import { optional, select } from '../select'
import { current, pinned } from './policy-view'

export interface ComparedSide {
  readonly policy: MaskPolicy
  /** Undefined until everything is counted. */
  readonly measure: RequestMeasure | undefined
  /** The session after masking; undefined until it is replayed. */
  readonly session: ReplaySide | undefined
}

/** A result that A and B decide differently, or mask with different placeholders. */
export interface DifferingResult {
  /** Index of the result. */
  readonly result: number
  readonly a: Decision
  readonly b: Decision
}

export interface Comparison {
  readonly a: ComparedSide
  readonly b: ComparedSide
  readonly fields: readonly PolicyField[]
  /** Undefined until both are decided. */
  readonly differing: readonly DifferingResult[] | undefined
}

const fieldsOf = select([({ pinned }) => pinned, ({ policy }) => policy], (a, b) =>
  POLICY_FIELDS.filter(({ key }) => !isSameSetting(a[key], b[key])),
)

const differingOf = select(
  [pinned.decisionsOf, current.decisionsOf, ({ conversation }) => conversation],
  (all, others, at): readonly DifferingResult[] =>
    (all[at] ?? []).flatMap((a, result) => {
      const b = others[at]?.[result] as Decision
      const isSame = a.action === b.action && a.placeholder === b.placeholder
      return isSame ? [] : [{ result, a, b }]
    }),
)

/** Undefined if no policy is pinned. */
export const comparisonOf = select(
  [
    (state) => state.pinned,
    ({ policy }) => policy,
    optional(pinned.measureOf),
    optional(current.measureOf),
    // The pinned policy is replayed once, on the page.
    optional((state) => pinned.replayOf(state)?.after),
    optional((state) => current.figuresOf(state)?.after),
    fieldsOf,
    optional(differingOf),
  ],
  (policyA, policyB, measureA, measureB, sessionA, sessionB, fields, differing): Comparison => ({
    a: { policy: policyA, measure: measureA, session: sessionA },
    b: { policy: policyB, measure: measureB, session: sessionB },
    fields,
    differing,
  }),
)
