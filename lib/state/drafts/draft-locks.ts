import * as v from 'valibot'
import { newKey } from './draft-records'

/** Web locks on open drafts. The browser releases a lock when its tab closes or crashes. */

/** The part of `LockManager` that is used; browsers have it only on secure pages. */
export type Locks = Pick<LockManager, 'request' | 'query'>

const PREFIX = 'masking-playground.draft/'
/** The old lock of a reloaded page may last for a moment. */
const MILLISECONDS_OF_RELOAD = 1000

export interface DraftLocks {
  /** Locks a draft for this tab and releases the previous one; false if another tab has it open. */
  readonly lock: (draft: string) => Promise<boolean>
  /** Drafts open in other tabs; undefined if the browser has no locks. */
  readonly openElsewhere: () => Promise<ReadonlySet<string> | undefined>
}

export function createDraftLocks(locksOfBrowser: () => Locks | undefined): DraftLocks {
  let current: { readonly draft: string; readonly release: () => void } | undefined
  return {
    lock: async (draft) => {
      const locks = locksOfBrowser()
      if (locks === undefined || current?.draft === draft) return true
      const release = await acquire(locks, PREFIX + draft)
      if (release === undefined) return false
      current?.release()
      current = { draft, release }
      return true
    },
    openElsewhere: async () => {
      const locks = locksOfBrowser()
      if (locks === undefined) return undefined
      const lockOfTab = current === undefined ? undefined : PREFIX + current.draft
      const names = ((await locks.query()).held ?? []).map(({ name }) => name)
      return new Set(
        names
          .filter((name) => name?.startsWith(PREFIX) && name !== lockOfTab)
          .map((name) => (name as string).slice(PREFIX.length)),
      )
    },
  }
}

/** Requests a lock; resolves to the function that releases it, or undefined if another tab has it. */
async function acquire(locks: Locks, name: string): Promise<(() => void) | undefined> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const release = await request(locks, name)
    if (release !== undefined) return release
    // A busy browser may grant a free lock too late.
    const held = await locks.query().then(
      (state) => state.held ?? [],
      () => undefined,
    )
    if (held === undefined || held.some((lock) => lock.name === name)) return undefined
  }
  return undefined
}

const MOST_ATTEMPTS = 5

function request(locks: Locks, name: string): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(MILLISECONDS_OF_RELOAD)
    locks
      .request(name, { signal }, () => new Promise<void>((release) => resolve(() => release())))
      // A browser that refuses all locks says nothing about other tabs.
      .catch((error: Error) => resolve(error.name === 'TimeoutError' ? undefined : () => {}))
  })
}

const KEY = 'masking-playground.tab'

const MEMORY = v.object({
  /** Undefined while the tab has no work of the user. */
  draft: v.optional(v.string()),
  /** The last fragment this tab wrote or applied; any other one is a link that was opened. */
  address: v.optional(v.string(), ''),
  /** The fragment before it: a reload can overtake the last write. */
  addressBefore: v.optional(v.string()),
  /** True right after everything was deleted, for one notice. */
  hasForgotten: v.optional(v.boolean()),
})

export type TabRecord = Readonly<v.InferOutput<typeof MEMORY>>

/** The browser may refuse every access to it. */
export type TabStorage = () => Pick<Storage, 'getItem' | 'setItem'>

/** Undefined in a new tab. */
export function readTabRecord(storage: TabStorage): TabRecord | undefined {
  try {
    const text = storage().getItem(KEY)
    const memory = v.safeParse(MEMORY, JSON.parse(text ?? 'null'))
    return memory.success ? memory.output : undefined
  } catch {
    return undefined
  }
}

export function writeTabRecord(storage: TabStorage, memory: TabRecord): void {
  try {
    storage().setItem(KEY, JSON.stringify(memory))
  } catch {
    // Refused: after a reload, the tab is like a new one.
  }
}

export interface DraftNames {
  /** Id of a document's draft; a new id for a new document. */
  readonly draftOf: (document: number) => string
  /** The last revision of a draft that this tab knows. */
  readonly revisionOf: (draft: string) => string | undefined
  readonly learn: (document: number, draft: string, revision: string | undefined) => void
  /** Gives the document a new draft, because another tab has the old one. */
  readonly part: (document: number) => void
}

/** Assigns drafts to the documents of this tab. */
export function createDraftNames(): DraftNames {
  const drafts = new Map<number, string>()
  const revisions = new Map<string, string>()
  return {
    draftOf: (document) => {
      const draft = drafts.get(document) ?? newKey()
      drafts.set(document, draft)
      return draft
    },
    revisionOf: (draft) => revisions.get(draft),
    learn: (document, draft, revision) => {
      drafts.set(document, draft)
      if (revision !== undefined) revisions.set(draft, revision)
    },
    part: (document) => void drafts.delete(document),
  }
}
