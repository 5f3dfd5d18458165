/** Keys in local storage. Deleting all stored data removes them. */
export const STORAGE_KEYS = {
  prices: 'masking-playground.prices',
  advice: 'masking-playground.advice',
  recentModels: 'masking-playground.recent-models',
  openingNoteHidden: 'opening-note-hidden',
  drawer: 'masking-playground.drawer',
  drawerHeight: 'masking-playground.drawer-height',
  loopPart: 'masking-playground.loop-part',
  loop: 'masking-playground.loop',
  conversations: 'masking-playground.conversations',
  view: 'masking-playground.view',
  language: 'masking-playground.language',
  /** Set by the theme library. */
  theme: 'theme',
} as const

/** Keeps a setting of a store in local storage. */

/** The browser may refuse every access to it. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem'>

export interface StoredSetting<Value> {
  readonly key: string
  readonly current: () => Value
  /** Puts what was stored into the store; the text is null if nothing was. */
  readonly load: (text: string | null) => void
  readonly write: (value: Value) => string
}

/** Loads the stored setting and saves every change of it; returns a function that stops it. */
export function syncStored<Value>(
  store: { readonly subscribe: (changed: () => void) => () => void },
  storage: () => TextStorage,
  { key, current, load, write }: StoredSetting<Value>,
): () => void {
  try {
    load(storage().getItem(key))
  } catch {
    // Storage is refused: the setting lasts as long as the page.
  }
  let stored = current()
  return store.subscribe(() => {
    if (current() === stored) return
    stored = current()
    try {
      storage().setItem(key, write(stored))
    } catch {
      // Refused, as above.
    }
  })
}
