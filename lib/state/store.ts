/**
 * The page's store, composed of one slice per feature. It holds what the user opened and chose, and the worker's
 * answers, each known by its source or job. Everything else is derived by selectors when it is needed.
 */
import { createStore } from 'zustand/vanilla'
import type { JobName } from '@/lib/worker/jobs'
import { type CostsSlice, INITIAL_COSTS } from './costs/costs-slice'
import { type DocumentSlice, INITIAL_DOCUMENT } from './document/document-slice'
import { INITIAL_LINK, type LinkSlice } from './link/link-slice'
import { INITIAL_LOOP, type LoopSlice } from './loop/loop-settings'
import { INITIAL_NOTICES, type NoticesSlice } from './notices'
import { INITIAL_POLICY, type PolicySlice } from './policy/policy-slice'
import { INITIAL_REPAIR, type RepairSlice } from './repair/repair-slice'

/** What the worker answered, known by the input it answers. */
export interface Answer {
  readonly name: JobName
  readonly input: object
  readonly output: unknown
}

export interface PlaygroundState
  extends DocumentSlice,
    PolicySlice,
    CostsSlice,
    LoopSlice,
    RepairSlice,
    LinkSlice,
    NoticesSlice {
  readonly answers: readonly Answer[]
}

export function createPlaygroundStore() {
  return createStore<PlaygroundState>(() => ({
    ...INITIAL_DOCUMENT,
    ...INITIAL_POLICY,
    ...INITIAL_COSTS,
    ...INITIAL_LOOP,
    ...INITIAL_REPAIR,
    ...INITIAL_LINK,
    ...INITIAL_NOTICES,
    answers: [],
  }))
}

export type PlaygroundStore = ReturnType<typeof createPlaygroundStore>
