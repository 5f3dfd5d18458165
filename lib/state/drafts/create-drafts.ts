/** Drafts in the browser's database: resumes, lists, opens and deletes them. `save-draft` writes them. */
import { readSettingsLink } from '@/lib/core/share/link/settings-link'
import { INITIAL_DOCUMENT } from '../document/document-slice'
import type { NoticeCode } from '../notices'
import type { Playground } from '../playground'
import { INITIAL_POLICY } from '../policy/policy-slice'
import type { PlaygroundState } from '../store'
import { removeStored, STORAGE_KEYS, type TextStorage } from '../sync-stored'
import { createDescriber } from './describe-draft'
import type { DraftDatabase } from './draft-database'
import { type DraftLocks, readTabRecord, type TabRecord, writeTabRecord } from './draft-locks'
import { byNewest, type DraftSummary, restoredPolicy } from './restore-draft'
import { createDraftSaver, createDraftsStore, type DraftsState, reasonOf } from './save-draft'

export interface DraftEnvironment {
  readonly database: DraftDatabase
  readonly locks: DraftLocks
  /** Storage of this tab, and that of the browser; it may refuse every access to them. */
  readonly tabStorage: () => TextStorage
  readonly storage: () => TextStorage & Pick<Storage, 'removeItem'>
  /** Reloads the page without its settings. */
  readonly startOver: () => void
  /** Notifies the other tabs that all drafts were deleted. */
  readonly announceForgotten: () => void
  readonly onForgotten: (listener: () => void) => void
}

/** Notices that already explain why no drafts can be listed. */
const ALREADY_SAID: readonly NoticeCode[] = ['draft_refused', 'drafts_unread']

export type Drafts = ReturnType<typeof createDrafts>

export function createDrafts(playground: Playground, environment: DraftEnvironment) {
  const { database, locks, tabStorage, storage } = environment
  const { actions } = playground
  const store = createDraftsStore()
  let tab: TabRecord | undefined
  const remember = (part: Partial<TabRecord>) => {
    const next: TabRecord = { address: '', ...tab, ...part }
    if (tab !== undefined && JSON.stringify(next) === JSON.stringify(tab)) return
    tab = next
    writeTabRecord(tabStorage, tab)
  }
  const rememberDraft = (draft: string) => remember({ draft })
  let isOver = false
  const startOver = () => {
    if (isOver) return
    isOver = true
    saver.stop()
    writeTabRecord(tabStorage, { address: '', hasForgotten: true })
    environment.startOver()
  }
  const saver = createDraftSaver(playground, store, database, locks, rememberDraft, startOver)

  const fail = (code: NoticeCode, error: unknown) =>
    actions.notify(code, { reason: reasonOf(error) }, 'error')

  /** Opens a draft on the page, unless the user opens or types another text while it is loaded. */
  const openLoaded = async (id: string): Promise<'open' | 'missing' | 'overtaken'> => {
    const { source } = playground.store.getState()
    const loaded = await database.load(id)
    if (loaded === undefined) return 'missing'
    if (playground.store.getState().source !== source) return 'overtaken'
    const isOwn = await locks.lock(id)
    if (!saver.adopt(loaded, !isOwn)) return 'missing'
    if (!isOwn) actions.notify('draft_copied', { name: loaded.record.name })
    return 'open'
  }

  const newestFirst = async () => (await database.list()).toSorted(byNewest)
  /** Leaves out saved conversations that were never opened. */
  const newestWorkedOn = async () =>
    (await newestFirst()).filter(({ thread }) => thread === undefined)

  /** Resumes the newest draft in a new tab, unless it is open in another tab or the link names a text. */
  const resumeNewest = async (fragment: string): Promise<boolean> => {
    const { sample, transcript } = readSettingsLink(fragment).settings
    const drafts = await newestWorkedOn()
    const isOwn = ({ origin }: DraftSummary) => origin.kind !== 'sample'
    const newest = fragment === '' ? drafts[0] : drafts.find(isOwn)
    const elsewhere = await locks.openElsewhere()
    if (newest === undefined || elsewhere?.has(newest.id)) return false
    if (elsewhere === undefined || sample !== undefined || transcript !== undefined) {
      actions.notify('draft_offered', { name: newest.name })
      return false
    }
    const isResumed = (await openLoaded(newest.id)) === 'open'
    if (isResumed) actions.notify('draft_resumed', { name: newest.name })
    return isResumed
  }

  const resumeOwn = async (id: string): Promise<boolean> => {
    const outcome = await openLoaded(id)
    if (outcome === 'missing') actions.notify('draft_lost', {}, 'error')
    return outcome === 'open'
  }

  /** Saves the page, then opens a draft; true if it is open. */
  const openDraft = async (id: string): Promise<boolean> => {
    if (!(await saver.flush())) {
      actions.notify('draft_not_replaced', {}, 'error')
      return false
    }
    try {
      return await resumeOwn(id)
    } catch (error) {
      fail('drafts_unread', error)
      return false
    }
  }

  return {
    store,
    flush: saver.flush,
    /** Saves when the page is left. A database may not get it in time, so the tab keeps what the user has just set. */
    leave: () => {
      const { policy, policyFrom, mechanism } = playground.store.getState()
      const own = policyFrom === 'user' && { policy: { ...policy } }
      if (store.getState().saving === 'pending' && saver.draftOfPage() === tab?.draft)
        remember({ left: JSON.parse(JSON.stringify({ ...own, mechanism })) })
      void saver.flush()
    },
    /** Resumes the draft of this tab or the newest draft. Call it once, before anything is opened. */
    start: async (hash: string) => {
      const fragment = hash.replace(/^#/, '')
      const before = readTabRecord(tabStorage)
      tab = before
      environment.onForgotten(startOver)
      if (before?.hasForgotten) actions.notify('forgotten')
      let isResumed = false
      try {
        if (before?.draft !== undefined) isResumed = await resumeOwn(before.draft)
        else if (before === undefined) isResumed = await resumeNewest(fragment)
      } catch (error) {
        // Without a draft to resume, the user is notified only when something is to be saved.
        if (before?.draft !== undefined) fail('drafts_unread', error)
      }
      const { policy, mechanism } = (isResumed && before?.left) || {}
      if (policy !== undefined) actions.changePolicy(restoredPolicy(policy))
      if (isResumed && before?.left !== undefined) actions.tryMechanism(mechanism)
      remember({ address: fragment, hasForgotten: undefined, left: undefined })
      saver.follow()
      const known = ['', before?.address, before?.addressBefore]
      // An address that is empty or was written by this tab is no link to follow.
      return { isResumed, isKnownAddress: known.includes(fragment) }
    },
    /** Remembers an address that this tab wrote, so that a reload does not follow it as a link. */
    rememberAddress: (hash: string) => {
      const address = hash.replace(/^#/, '')
      if (address !== tab?.address) remember({ address, addressBefore: tab?.address })
    },
    show: (dialog: DraftsState['dialog']) => store.setState({ dialog }),
    /** Refreshes the list of drafts. */
    list: async () => {
      try {
        await saver.flush()
        const [drafts, elsewhere] = await Promise.all([newestFirst(), locks.openElsewhere()])
        const current = saver.draftOfPage()
        const recent = drafts.map((draft) => ({
          ...draft,
          isCurrent: draft.id === current,
          isElsewhere: draft.id !== current && elsewhere?.has(draft.id) === true,
        }))
        store.setState({ recent })
      } catch (error) {
        store.setState({ recent: undefined })
        const { notices } = playground.store.getState()
        const isSaid = notices.some(({ code }) => ALREADY_SAID.includes(code))
        if (!isSaid) fail('drafts_unread', error)
      }
    },
    open: openDraft,
    /** Opens the newest draft that is not an unchanged sample. */
    openNewest: async (): Promise<void> => {
      const newest = (await newestWorkedOn()).find(({ origin }) => origin.kind !== 'sample')
      if (newest !== undefined) await openDraft(newest.id)
    },
    /**
     * Saves a conversation made on the page as a draft; saving it again updates that draft. False if it fails.
     * `isAsked`: the user pressed a button, so the user is notified.
     */
    saveConversation: async (thread: ConversationToSave, isAsked = true): Promise<boolean> => {
      try {
        const outcome = await saveConversation(database, playground.store.getState(), thread)
        const open = await locks.openElsewhere()
        // The oldest over the limit go, except those that were worked on or are open in a tab.
        const saved = (await newestFirst()).filter(
          (draft) => draft.thread !== undefined && !open?.has(draft.id),
        )
        for (const { id } of saved.slice(MOST_CONVERSATIONS)) await database.remove(id)
        if (!isAsked) return true
        const code = outcome === 'new' ? 'conversation_saved' : 'conversation_saved_again'
        actions.notify(code, { name: thread.name })
        return true
      } catch (error) {
        fail('conversation_not_saved', error)
        return false
      }
    },
    /** Deletes a draft with its undo history. */
    remove: async ({ id, name }: DraftSummary): Promise<void> => {
      await database.remove(id)
      actions.notify('draft_removed', { name })
      // There may be space now for a draft that could not be saved.
      await saver.flush()
    },
    /** Deletes everything this page stored in the browser and reloads all its tabs. */
    forgetEverything: async (): Promise<void> => {
      try {
        await database.forgetEverything()
        environment.announceForgotten()
        for (const name of Object.values(STORAGE_KEYS)) removeStored(storage, name)
        startOver()
      } catch (error) {
        fail('forget_failed', error)
      }
    },
  }
}

/** A conversation made on the page, to be saved as a draft without being opened. */
export interface ConversationToSave {
  /** Saving the same key again replaces the draft. */
  readonly key: string
  readonly name: string
  readonly text: string
  readonly turns: number
}

const FORMAT_LABEL = 'OpenAI chat'

/**
 * Saves a conversation as a draft with the page's settings, and replaces its earlier version. A draft that the user
 * has worked on since is not replaced.
 */
export function saveConversation(
  { saveConversation: save }: DraftDatabase,
  { policy, model }: Pick<PlaygroundState, 'policy' | 'model'>,
  { key: thread, name, text, turns }: ConversationToSave,
): ReturnType<DraftDatabase['saveConversation']> {
  const source = { ...INITIAL_DOCUMENT.source, text, name, origin: { kind: 'paste' } as const }
  const state = { ...INITIAL_DOCUMENT, ...INITIAL_POLICY, source, policy, model }
  return save(thread, (id, texts) => {
    const describer = createDescriber()
    describer.learnDraft(source.document, id, undefined)
    const { record, body } = describer.describe(state, texts)
    return { record: { ...record, thread, turns, formatLabel: FORMAT_LABEL }, body }
  })
}

/** So many are kept. */
const MOST_CONVERSATIONS = 20
