import * as v from 'valibot'
import { readStored, type TextStorage, writeStored } from '../sync-stored'

/** Web locks on open drafts. The browser releases a lock when its tab closes or crashes. */

/** The part of `LockManager` that is used; browsers have it only on secure pages. */
export type Locks = Pick<LockManager, 'request' | 'query'>

const PREFIX = 'masking-playground.draft/'
/** The old lock of a reloaded page may last for a moment. */
const MILLISECONDS_OF_RELOAD = 1000

export type DraftLocks = ReturnType<typeof createDraftLocks>

export function createDraftLocks(locksOfBrowser: () => Locks | undefined) {
  let current: { readonly draft: string; readonly release: () => void } | undefined
  return {
    /** Locks a draft for this tab and releases the previous one; false if another tab has it open. */
    lock: async (draft: string): Promise<boolean> => {
      const locks = locksOfBrowser()
      if (locks === undefined || current?.draft === draft) return true
      const release = await acquire(locks, PREFIX + draft)
      if (release === undefined) return false
      current?.release()
      current = { draft, release }
      return true
    },
    /** Drafts open in other tabs; undefined if the browser has no locks. */
    openElsewhere: async (): Promise<ReadonlySet<string> | undefined> => {
      const locks = locksOfBrowser()
      if (locks === undefined) return undefined
      const lockOfTab = current === undefined ? undefined : PREFIX + current.draft
      const names = ((await locks.query()).held ?? []).map(({ name = '' }) => name)
      const others = names.filter((name) => name.startsWith(PREFIX) && name !== lockOfTab)
      return new Set(others.map((name) => name.slice(PREFIX.length)))
    },
  }
}

/** Requests a lock; resolves to the function that releases it, or undefined if another tab has it. */
async function acquire(locks: Locks, name: string): Promise<(() => void) | undefined> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const signal = AbortSignal.timeout(MILLISECONDS_OF_RELOAD)
    const release = await new Promise<(() => void) | undefined>((resolve) => {
      locks
        .request(name, { signal }, () => new Promise<void>((done) => resolve(() => done())))
        // A browser that refuses all locks says nothing about other tabs.
        .catch((error: Error) => resolve(error.name === 'TimeoutError' ? undefined : () => {}))
    })
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

const KEY = 'masking-playground.tab'

const VALUE = v.union([v.number(), v.boolean(), v.string(), v.array(v.string())])
const MECHANISM = v.object({ id: v.string(), settings: v.record(v.string(), VALUE) })
const MEMORY = v.object({
  /** Undefined while the tab has no work of the user. */
  draft: v.optional(v.string()),
  /** The last fragment this tab wrote or applied; any other one is a link that was opened. */
  address: v.optional(v.string(), ''),
  /** The fragment before it: a reload can overtake the last write. */
  addressBefore: v.optional(v.string()),
  /** What the user had set when the page was left, if it was not stored yet. */
  left: v.optional(
    v.object({ policy: v.optional(v.looseObject({})), mechanism: v.optional(MECHANISM) }),
  ),
  /** True right after everything was deleted, for one notice. */
  hasForgotten: v.optional(v.boolean()),
})

export type TabRecord = Readonly<v.InferOutput<typeof MEMORY>>

/** Undefined in a new tab. */
export function readTabRecord(storage: () => TextStorage): TabRecord | undefined {
  return readStored(storage, KEY, (text) => {
    const memory = v.safeParse(MEMORY, JSON.parse(text ?? 'null'))
    return memory.success ? memory.output : undefined
  })
}

/** If it is refused, the tab is like a new one after a reload. */
export function writeTabRecord(storage: () => TextStorage, memory: TabRecord): void {
  writeStored(storage, KEY, JSON.stringify(memory))
}
