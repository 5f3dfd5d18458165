/** The user's prices and models in local storage. */
import {
  checkModelOverrides,
  type ModelOverrides,
  type OverridesByModel,
} from '@/lib/core/replay/model-overrides'
import { STORAGE_KEYS } from '../storage-keys'

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

/** The browser may refuse every access to it. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem'>

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
  let stored = store.getState().modelOverrides
  try {
    const read = readStoredOverrides(storage().getItem(STORAGE_KEYS.prices))
    stored = { ...read, ...stored }
    store.setState({ modelOverrides: stored })
  } catch {
    // Storage is refused: overrides last as long as the page.
  }
  return store.subscribe(() => {
    const { modelOverrides } = store.getState()
    if (modelOverrides === stored) return
    stored = modelOverrides
    try {
      storage().setItem(STORAGE_KEYS.prices, JSON.stringify(modelOverrides))
    } catch {
      // Refused, as above.
    }
  })
}
