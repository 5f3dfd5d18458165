/** State of the settings: the policy, its undo history, and the policy it is compared with. */
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { LINK_DEFAULTS, type SetMechanism } from '@/lib/core/share/link/settings-link'
import type { SourceText } from '../document/document-slice'
import type { RememberedSource } from '../document/remembered-source'
import { EMPTY_HISTORY, type History } from '../history'

/** The policy of a first visit: the default, with the step that is recommended for the sample it opens. */
export const FIRST_VISIT_POLICY: MaskPolicy = { ...LINK_DEFAULTS, batchTurns: 'auto' }

/**
 * Who chose the policy. `default`: nobody, so it gives way to the recommended one; `session`: it is that one; the name of
 * another document: it was kept when this one was opened.
 */
export type PolicyFrom = 'default' | 'session' | 'user' | 'link' | { readonly name: string }

/** The state that undo restores. */
export interface Snapshot {
  readonly policy: MaskPolicy
  readonly policyFrom: PolicyFrom
  readonly mechanism?: SetMechanism | undefined
  readonly source: RememberedSource
  /** The chosen model, in a step that opens another document: only such a step can bring one. */
  readonly chosen?: { readonly model: string | undefined } | undefined
}

export interface PolicySlice {
  readonly policy: MaskPolicy
  readonly policyFrom: PolicyFrom
  readonly history: History<Snapshot>
  /** A config file whose policy was applied; exports write into it. */
  readonly config: { readonly name: string; readonly text: string } | undefined
  /** Policy A, which the current policy (B) is compared with; undefined when none is pinned. */
  readonly pinned: MaskPolicy | undefined
  /** What the instrument shows in place of the current policy; not stored, linked or undone. */
  readonly preview: MaskPolicy | undefined
  /** Policies that a view compares on the session, each once it is known; undefined while no view does. */
  readonly offered: readonly MaskPolicy[] | undefined
}

/** The policy that a source has once it is read. A policy that the user changed meanwhile stays. */
export function policyOnceRead(
  { policyChange }: Pick<SourceText, 'policyChange'>,
  policy: MaskPolicy,
): MaskPolicy {
  return policy === policyChange?.before ? policyChange.after : policy
}

export const INITIAL_POLICY: PolicySlice = {
  policy: LINK_DEFAULTS,
  policyFrom: 'default',
  history: EMPTY_HISTORY,
  config: undefined,
  pinned: undefined,
  preview: undefined,
  offered: undefined,
}
