/** The user's prices and models in local storage. */
import {
  checkModelOverrides,
  type ModelOverrides,
  type OverridesByModel,
} from '@/lib/core/replay/model-overrides'
import { STORAGE_KEYS } from '../storage-keys'
import { syncStored, type TextStorage } from '../sync-stored'

const MAX_MODELS = 500

/** Reads stored overrides; drops only the damaged entries. */
export function readStoredOverrides(text: string | null): OverridesByModel {
  const overrides: Record<string, ModelOverrides> = Object.create(null)
  for (const [key, value] of Object.entries(parsed(text)).slice(0, MAX_MODELS)) {
    const checked = checkModelOverrides(value)
    if (checked.state === 'valid') overrides[key] = checked.overrides
  }
  return overrides
}

function parsed(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

interface HasModelOverrides {
  readonly getState: () => { readonly modelOverrides: OverridesByModel }
  readonly setState: (part: { readonly modelOverrides: OverridesByModel }) => void
  readonly subscribe: (changed: () => void) => () => void
}

/** Loads the stored overrides into a store and saves every change; returns a function that stops it. */
export function syncStoredOverrides(
  store: HasModelOverrides,
  storage: () => TextStorage,
): () => void {
  return syncStored(store, storage, {
    key: STORAGE_KEYS.prices,
    current: () => store.getState().modelOverrides,
    load: (text) =>
      store.setState({
        modelOverrides: { ...readStoredOverrides(text), ...store.getState().modelOverrides },
      }),
    write: JSON.stringify,
  })
}
