import { createStore } from 'zustand/vanilla'
import type { DraftSummary } from './draft-records'
import { type ConversationSettings, DEFAULT_CONVERSATION_SETTINGS } from './save-conversation'

/**
 * State of the page's draft. `nothing`: the page has no work of the user. `failed`: the browser refused; the next
 * change tries again.
 */
export type SavingState = 'nothing' | 'pending' | 'saved' | 'failed'

export interface RecentDraft extends DraftSummary {
  /** The tab it is open in; undefined if the browser has no locks. */
  readonly openIn: 'this' | 'other' | 'none' | undefined
}

export interface DraftsState {
  readonly saving: SavingState
  /** Newest first; undefined until listed, or if the database cannot be read. */
  readonly recent: readonly RecentDraft[] | undefined
  readonly dialog: 'recent' | 'save' | 'forget' | undefined
  readonly conversations: ConversationSettings
}

export function createDraftsStore() {
  return createStore<DraftsState>(() => ({
    saving: 'nothing',
    recent: undefined,
    dialog: undefined,
    conversations: DEFAULT_CONVERSATION_SETTINGS,
  }))
}

export type DraftsStore = ReturnType<typeof createDraftsStore>
