/**
 * The page's store, composed of one slice per feature. It holds what the user opened and chose, and the worker's
 * answers, each known by its source or job. Everything else is derived by selectors when it is needed.
 */
import { createStore } from 'zustand/vanilla'
import { REPAIR_LIMITS, type RepairSettings } from '@/lib/core/repair/repair-limits'
import type { QuestionName } from '@/lib/worker/jobs'
import { type CostsSlice, INITIAL_COSTS } from './costs/costs-slice'
import { type DocumentSlice, INITIAL_DOCUMENT } from './document/document-slice'
import { INITIAL_LOOP, type LoopSlice } from './loop/loop-settings'
import { INITIAL_NOTICES, type NoticesSlice } from './notices'
import { INITIAL_POLICY, type PolicySlice } from './policy/policy-slice'

/** What the worker answered, known by the input it answers. */
export interface Answer {
  readonly name: QuestionName
  readonly input: object
  readonly output: unknown
}

export interface PlaygroundState
  extends DocumentSlice,
    PolicySlice,
    CostsSlice,
    LoopSlice,
    NoticesSlice {
  readonly answers: readonly Answer[]
  /** Limits on the repair of one document. */
  readonly repairSettings: RepairSettings
  /** Pairs of a link that this version does not know; new links repeat them unchanged. */
  readonly unknownLinkPairs: readonly (readonly [string, string])[]
  /** Index of the conversation a link asks for, until its document is read. */
  readonly linkConversation?: number | undefined
  /** A transcript from a link that would replace the user's own, until the user decides. */
  readonly linkTranscript?: string | undefined
  /** The settings before a link was opened over the running page, as a fragment. */
  readonly beforeLink?: string | undefined
}

export function createPlaygroundStore() {
  return createStore<PlaygroundState>(() => ({
    ...INITIAL_DOCUMENT,
    ...INITIAL_POLICY,
    ...INITIAL_COSTS,
    ...INITIAL_LOOP,
    ...INITIAL_NOTICES,
    answers: [],
    repairSettings: REPAIR_LIMITS,
    unknownLinkPairs: [],
  }))
}

export type PlaygroundStore = ReturnType<typeof createPlaygroundStore>
