/** The models chosen last, in local storage. */
import { STORAGE_KEYS } from '../storage-keys'
import type { TextStorage } from '../sync-stored'

const MOST_RECENT = 5

/** The keys of the models chosen last, latest first; empty if the browser refuses its storage or it is damaged. */
export function readRecentModels(storage: () => TextStorage): readonly string[] {
  try {
    const value: unknown = JSON.parse(storage().getItem(STORAGE_KEYS.recentModels) ?? '[]')
    if (!Array.isArray(value)) return []
    return value.filter((key) => typeof key === 'string').slice(0, MOST_RECENT)
  } catch {
    return []
  }
}

export function rememberModel(storage: () => TextStorage, key: string): void {
  const others = readRecentModels(storage).filter((other) => other !== key)
  try {
    const keys = [key, ...others].slice(0, MOST_RECENT)
    storage().setItem(STORAGE_KEYS.recentModels, JSON.stringify(keys))
  } catch {
    // The browser refuses: nothing is remembered.
  }
}
