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
