import { createStore } from 'zustand/vanilla'
import type { DraftSummary } from './draft-records'

/**
 * Whether what is on the page is kept. `nothing`: there is nothing of the reader's own. `pending`: it will be in a
 * moment. `failed`: the browser refused; it is tried again with the next change.
 */
export type Keeping = 'nothing' | 'pending' | 'kept' | 'failed'

export interface RecentDraft extends DraftSummary {
  /** In this tab, in another one, or in none; undefined where the browser does not tell. */
  readonly openIn: 'this' | 'other' | 'none' | undefined
}

export interface DraftsState {
  readonly keeping: Keeping
  /** Newest first; undefined until it was asked for, or when it cannot be had. */
  readonly recent: readonly RecentDraft[] | undefined
  readonly dialog: 'recent' | 'save' | 'forget' | undefined
}

export function createDraftsStore() {
  return createStore<DraftsState>(() => ({
    keeping: 'nothing',
    recent: undefined,
    dialog: undefined,
  }))
}

export type DraftsStore = ReturnType<typeof createDraftsStore>
