/** The drafts of the page: kept as they change, taken up at the start, listed, opened, forgotten. */
import { readSettingsLink } from '@/lib/core/share/settings-link'
import { KEPT } from '../kept-keys'
import type { Playground } from '../playground'
import type { NoticeCode } from '../store'
import type { DraftDatabase } from './draft-database'
import type { DraftLocks } from './draft-locks'
import type { DraftSummary } from './draft-records'
import { createDraftsStore, type DraftsState, type RecentDraft } from './drafts-store'
import { createDraftKeeper, reasonOf } from './keep-draft'
import { keepThread, type Thread } from './keep-thread'
import type { TabMemory } from './tab-memory'

export interface DraftSurroundings {
  readonly database: DraftDatabase
  readonly locks: DraftLocks
  /** Undefined in a tab that is new. */
  readonly readTab: () => TabMemory | undefined
  readonly writeTab: (memory: TabMemory) => void
  /** Removes what is kept under these names elsewhere in the browser. */
  readonly removeKept: (names: readonly string[]) => void
  /** Loads the page anew, without its settings. */
  readonly beginAnew: () => void
  /** Tells the other tabs that everything was forgotten. */
  readonly tellForgotten: () => void
  readonly onForgotten: (listener: () => void) => void
}

/** They say that nothing can be kept, and so that nothing can be listed. */
const ALREADY_SAID: readonly NoticeCode[] = ['draft_refused', 'drafts_unread']

export type Drafts = ReturnType<typeof createDrafts>

/** What became of the work left behind when the page starts. */
export interface StartedDrafts {
  readonly isResumed: boolean
  /** The address says nothing new: it is the one this tab wrote, or empty. */
  readonly isKnownAddress: boolean
}

export function createDrafts(playground: Playground, surroundings: DraftSurroundings) {
  const { database, locks, readTab, writeTab, removeKept } = surroundings
  const { actions } = playground
  const store = createDraftsStore()
  let tab: TabMemory | undefined
  const remember = (part: Partial<TabMemory>) => {
    const before: TabMemory = tab ?? { address: '' }
    const next = { ...before, ...part }
    const isSame = next.draft === before.draft && next.address === before.address
    if (tab !== undefined && isSame && next.hasForgotten === tab.hasForgotten) return
    tab = next
    writeTab(tab)
  }
  const keeper = createDraftKeeper(playground, store, {
    database,
    locks,
    rememberDraft: (draft) => remember({ draft }),
    beginAnew: () => beginAnew(),
  })
  const beginAnew = () => {
    keeper.stop()
    writeTab({ address: '', hasForgotten: true })
    surroundings.beginAnew()
  }

  /** Puts a draft on the page; false when it is not there any more. */
  const take = async (id: string): Promise<boolean> => {
    const loaded = await database.load(id)
    if (loaded === undefined) return false
    const isOwn = await locks.hold(id)
    const isThere = keeper.adopt(loaded, !isOwn)
    if (isThere && !isOwn) actions.notify('draft_copied', { name: loaded.record.name })
    return isThere
  }

  const newestFirst = async () =>
    (await database.list()).toSorted((one, other) => other.keptAt - one.keptAt)
  /** What somebody worked on; not what the page made and nobody opened. */
  const newestWorkedOn = async () =>
    (await newestFirst()).filter(({ thread }) => thread === undefined)

  /** A new tab goes on with the newest draft; not when it is open in another tab, or a link brings its own text. */
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
    const isResumed = await take(newest.id)
    if (isResumed) actions.notify('draft_resumed', { name: newest.name })
    return isResumed
  }

  const resumeOwn = async (id: string): Promise<boolean> => {
    const isResumed = await take(id)
    if (!isResumed) actions.notify('draft_lost', {}, 'error')
    return isResumed
  }

  /** Opens a draft in the place of what is there, once that is kept; true when it is open. */
  const openDraft = async (id: string): Promise<boolean> => {
    if (!(await keeper.flush())) {
      actions.notify('draft_not_replaced', {}, 'error')
      return false
    }
    try {
      return await resumeOwn(id)
    } catch (error) {
      actions.notify('drafts_unread', { reason: reasonOf(error) }, 'error')
      return false
    }
  }

  return {
    store,
    flush: keeper.flush,
    /** Takes up what this tab, or the last one, left behind; to be called once, before anything is opened. */
    start: async (hash: string): Promise<StartedDrafts> => {
      const fragment = hash.replace(/^#/, '')
      const before = readTab()
      tab = before
      surroundings.onForgotten(beginAnew)
      if (before?.hasForgotten) actions.notify('forgotten')
      let isResumed = false
      try {
        if (before?.draft !== undefined) isResumed = await resumeOwn(before.draft)
        else if (before === undefined) isResumed = await resumeNewest(fragment)
      } catch (error) {
        // Without a draft to come back to, it is said when there is something to keep.
        if (before?.draft !== undefined) {
          actions.notify('drafts_unread', { reason: reasonOf(error) }, 'error')
        }
      }
      remember({ address: fragment, hasForgotten: undefined })
      keeper.follow()
      return { isResumed, isKnownAddress: fragment === '' || before?.address === fragment }
    },
    /** The address is this tab's own doing, not a link to follow. */
    rememberAddress: (hash: string) => remember({ address: hash.replace(/^#/, '') }),
    show: (dialog: DraftsState['dialog']) => store.setState({ dialog }),
    /** Lists what is kept, as it is now. */
    list: async () => {
      try {
        await keeper.flush()
        const [drafts, elsewhere] = await Promise.all([newestFirst(), locks.openElsewhere()])
        const own = keeper.draftOfPage()
        const openIn = ({ id }: DraftSummary): RecentDraft['openIn'] =>
          id === own
            ? 'this'
            : elsewhere === undefined
              ? undefined
              : elsewhere.has(id)
                ? 'other'
                : 'none'
        store.setState({ recent: drafts.map((draft) => ({ ...draft, openIn: openIn(draft) })) })
      } catch (error) {
        store.setState({ recent: undefined })
        const { notices } = playground.store.getState()
        const isSaid = notices.some(({ code }) => ALREADY_SAID.includes(code))
        if (!isSaid) actions.notify('drafts_unread', { reason: reasonOf(error) }, 'error')
      }
    },
    open: openDraft,
    /** Opens the newest draft of the reader's own. */
    openNewest: async (): Promise<void> => {
      const newest = (await newestWorkedOn()).find(({ origin }) => origin.kind !== 'sample')
      if (newest !== undefined) await openDraft(newest.id)
    },
    /** Keeps a conversation made on the page among the drafts, once however often it is saved; false when it cannot. */
    keepThread: async (thread: Thread): Promise<boolean> => {
      try {
        const outcome = await keepThread(database, playground.store.getState(), thread)
        const { name } = thread
        actions.notify(outcome === 'new' ? 'thread_kept' : 'thread_kept_again', { name })
        return true
      } catch (error) {
        actions.notify('thread_failed', { reason: reasonOf(error) }, 'error')
        return false
      }
    },
    /** Removes one draft for good, undo history and all. */
    remove: async ({ id, name }: DraftSummary): Promise<void> => {
      await database.remove(id)
      actions.notify('draft_removed', { name })
      // There may be room now for what could not be kept.
      await keeper.flush()
    },
    /** Removes everything this page ever kept in the browser, and begins anew in all its tabs. */
    forgetEverything: async (): Promise<void> => {
      try {
        await database.forgetEverything()
        surroundings.tellForgotten()
        removeKept(Object.values(KEPT))
        beginAnew()
      } catch (error) {
        actions.notify('forget_failed', { reason: reasonOf(error) }, 'error')
      }
    },
  }
}
