/** Which drafts are open in a tab. A lock ends with its tab, however the tab ends. */

/** The part of a browser's `LockManager` that is used; absent where the page is not served securely. */
export type Locks = Pick<LockManager, 'request' | 'query'>

const PREFIX = 'masking-playground.draft/'
/** A page that is reloaded may hold its lock a moment longer. */
const MILLISECONDS_OF_RELOAD = 1000

export interface DraftLocks {
  /** Takes a draft as this tab's own, and lets the one before go; false when another tab has it open. */
  readonly hold: (draft: string) => Promise<boolean>
  /** The drafts open in other tabs; undefined where the browser does not tell. */
  readonly openElsewhere: () => Promise<ReadonlySet<string> | undefined>
}

export function createDraftLocks(locksOfBrowser: () => Locks | undefined): DraftLocks {
  let held: { readonly draft: string; readonly release: () => void } | undefined
  return {
    hold: async (draft) => {
      const locks = locksOfBrowser()
      if (locks === undefined || held?.draft === draft) return true
      const release = await taken(locks, PREFIX + draft)
      if (release === undefined) return false
      held?.release()
      held = { draft, release }
      return true
    },
    openElsewhere: async () => {
      const locks = locksOfBrowser()
      if (locks === undefined) return undefined
      const own = held === undefined ? undefined : PREFIX + held.draft
      const names = ((await locks.query()).held ?? []).map(({ name }) => name)
      return new Set(
        names
          .filter((name) => name?.startsWith(PREFIX) && name !== own)
          .map((name) => (name as string).slice(PREFIX.length)),
      )
    },
  }
}

/** Takes a lock; resolves with what releases it, or undefined when another tab keeps it. */
async function taken(locks: Locks, name: string): Promise<(() => void) | undefined> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const release = await requested(locks, name)
    if (release !== undefined) return release
    // A browser with much to do may give a free lock too late: that is not another tab.
    const held = await locks.query().then(
      (state) => state.held ?? [],
      () => undefined,
    )
    if (held === undefined || held.some((lock) => lock.name === name)) return undefined
  }
  return undefined
}

const MOST_ATTEMPTS = 5

function requested(locks: Locks, name: string): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(MILLISECONDS_OF_RELOAD)
    locks
      .request(name, { signal }, () => new Promise<void>((release) => resolve(() => release())))
      // A browser that refuses locks as such tells nothing about other tabs.
      .catch((error: Error) => resolve(error.name === 'TimeoutError' ? undefined : () => {}))
  })
}
