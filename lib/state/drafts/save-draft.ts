/** Writes the page's draft soon after every change, and notifies the user if the browser refuses. */

import { createStore } from 'zustand/vanilla'
import { phrase, type Words } from '@/lib/core/words/words'
import { isCurrent } from '../document/selectors'
import type { NoticeCode } from '../notices'
import type { Playground } from '../playground'
import type { PlaygroundState } from '../store'
import { browserDatabases } from '../sync-stored'
import { bytesOf, createDescriber } from './describe-draft'
import type { DraftDatabase } from './draft-database'
import type { DraftLocks } from './draft-locks'
import { type DraftSummary, type LoadedDraft, restoreDraft } from './restore-draft'

/** Further changes do not restart this delay, so a draft is also saved during a drag. */
const MILLISECONDS_BEFORE_SAVING = 300

export function createDraftSaver(
  { store, actions }: Playground,
  drafts: ReturnType<typeof createDraftsStore>,
  database: DraftDatabase,
  locks: DraftLocks,
  /** Remembers the draft that this tab resumes after a reload. */
  rememberDraft: (draft: string) => void,
  /** Called if another tab has deleted everything. */
  startOver: () => void,
) {
  const describer = createDescriber()
  let epoch: Promise<string | undefined> | undefined
  let saved = savedPartsOf(store.getState())
  /** True if the saved record has the document's format and turns. */
  let hasFacts = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> | undefined
  let isStopped = false
  let hasNotifiedFailure = false

  /** The epoch read here shows later if everything was deleted meanwhile. */
  const learnEpoch = () => {
    epoch ??= database.epoch()
    return epoch
  }

  const hasChanged = () => {
    const now = store.getState()
    if (!isOwnWork(now)) return false
    const hasNewFacts = !hasFacts && isCurrent(now)
    return hasNewFacts || savedPartsOf(now).some((part, index) => part !== saved[index])
  }

  const save = async (): Promise<void> => {
    const now = store.getState()
    saved = savedPartsOf(now)
    const draft = describer.draftOf(now.source.document)
    void locks.lock(draft)
    const revision = describer.revisionOf(draft)
    const outcome = await database.save(draft, revision, await learnEpoch(), (texts) =>
      describer.describe(now, texts),
    )
    if (outcome === 'forgotten') return startOver()
    if (outcome === 'overtaken') {
      describer.part(now.source.document)
      actions.notify('draft_copied', { name: now.source.name })
      return save()
    }
    describer.learnDraft(now.source.document, draft, outcome.revision)
    hasFacts = outcome.turns !== undefined
    rememberDraft(draft)
    drafts.setState({ saving: hasChanged() ? 'pending' : 'saved' })
    if (hasNotifiedFailure) actions.notify('draft_saved_again', { name: now.source.name })
    hasNotifiedFailure = false
  }

  const fail = (error: unknown) => {
    epoch = undefined
    drafts.setState({ saving: 'failed' })
    if (hasNotifiedFailure) return
    hasNotifiedFailure = true
    const megabytes = bytesOf(store.getState().source) / 1e6
    actions.notify(failureOf(error), { reason: reasonOf(error), megabytes }, 'error')
  }

  const schedule = () => {
    if (timer !== undefined || isStopped || !hasChanged()) return
    drafts.setState({ saving: 'pending' })
    timer = setTimeout(() => void flush(), MILLISECONDS_BEFORE_SAVING)
  }

  /** Saves unsaved changes now; true if everything is saved. */
  const flush = async (): Promise<boolean> => {
    clearTimeout(timer)
    timer = undefined
    while (writing !== undefined) await writing
    const isDue = hasChanged() || drafts.getState().saving === 'failed'
    if (isDue && !isStopped) {
      writing = save()
        .catch(fail)
        .finally(() => {
          writing = undefined
        })
      await writing
    }
    // What changed meanwhile is saved later, which says nothing of what failed.
    const isSaved = drafts.getState().saving !== 'failed'
    // The step of a link is dropped once its sample is open, which leaves nothing to save.
    if (!isOwnWork(store.getState())) drafts.setState({ saving: 'nothing' })
    schedule()
    return isSaved
  }

  /** Opens a loaded draft on the page; false if its text is missing. A copy is saved as a new draft. */
  const adopt = (loaded: LoadedDraft, isCopy: boolean): boolean => {
    const restored = actions.resume((newId) => restoreDraft(loaded, newId))
    if (restored === undefined) return false
    const { source } = store.getState()
    for (const { document, draft, revision } of restored.documents) {
      if (!isCopy || document !== source.document) describer.learnDraft(document, draft, revision)
    }
    for (const [text, ref] of restored.placed) describer.learn(text, ref)
    describer.learnWhole(source.document, restored.whole.key, restored.whole.text)
    saved = savedPartsOf(store.getState())
    hasFacts = loaded.record.turns !== undefined
    drafts.setState({ saving: 'saved' })
    rememberDraft(loaded.record.id)
    if (restored.stepsLost > 0) {
      actions.notify('draft_incomplete', { steps: restored.stepsLost }, 'error')
    }
    return true
  }

  return {
    adopt,
    flush,
    /** Starts saving every change; returns a function that stops it. */
    follow: () => {
      learnEpoch().catch(() => {})
      return store.subscribe(schedule)
    },
    /** Stops all saving, because everything is being deleted. */
    stop: () => {
      isStopped = true
      clearTimeout(timer)
      drafts.setState({ saving: 'nothing' })
    },
    draftOfPage: () => describer.draftOf(store.getState().source.document),
  }
}

/** The parts of the state that a draft stores. */
function savedPartsOf(state: PlaygroundState): readonly unknown[] {
  const { source, policy, policyFrom, mechanism, pinned, history, model, extras, ...shown } = state
  const conversation = shown.linkConversation ?? shown.conversation
  return [source, policy, policyFrom, mechanism, pinned, history, model, extras, conversation]
}

/** False for an unchanged sample. */
function isOwnWork({ source, history, extras }: PlaygroundState): boolean {
  const hasSteps = history.past.length > 0 || history.future.length > 0
  const isOwnText = source.text !== '' && source.origin.kind !== 'sample'
  return hasSteps || isOwnText || (extras[source.document]?.notes ?? '') !== ''
}

function failureOf(error: unknown): NoticeCode {
  const name = error instanceof Error || error instanceof DOMException ? error.name : ''
  if (name === 'QuotaExceededError') return 'draft_quota'
  const isRefused = ['SecurityError', 'InvalidStateError', 'UnknownError', 'ReferenceError']
  return isRefused.includes(name) ? 'draft_refused' : 'draft_failed'
}

/** The message of a browser error without its full stop, for use within a sentence. */
export function reasonOf(error: unknown): Words {
  if (browserDatabases() === undefined) return phrase('no_indexed_db')
  const isError = error instanceof Error || error instanceof DOMException
  return (isError ? error.message : String(error)).replace(/\.$/, '')
}

export interface RecentDraft extends DraftSummary {
  /** True if this page shows it, and if another tab does. */
  readonly isCurrent: boolean
  readonly isElsewhere: boolean
}

export interface DraftsState {
  /**
   * State of the page's draft. `nothing`: the page has no work of the user. `failed`: the browser refused; the next
   * change tries again.
   */
  readonly saving: 'nothing' | 'pending' | 'saved' | 'failed'
  /** Newest first; undefined until listed, or if the database cannot be read. */
  readonly recent?: readonly RecentDraft[] | undefined
  readonly dialog?: 'open' | 'save' | 'forget' | undefined
}

export function createDraftsStore() {
  return createStore<DraftsState>(() => ({ saving: 'nothing' }))
}
