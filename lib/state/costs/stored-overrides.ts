/** The user's prices and models in local storage. */
import {
  checkModelOverrides,
  type ModelOverrides,
  type OverridesByModel,
} from '@/lib/core/replay/model-overrides'
import { ADVICE_RULES, type AdviceSettings, DEFAULT_ADVICE } from '@/lib/core/replay/recommend'
import { STORAGE_KEYS, syncStored, type TextStorage } from '../sync-stored'

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

/** Reads stored settings; damaged or missing ones get their defaults. */
export function readStoredAdvice(text: string | null): AdviceSettings {
  const { rule, keptPercent, smallestWindow } = parsed(text) as Readonly<Record<string, unknown>>
  const isShare = typeof keptPercent === 'number' && keptPercent >= 0 && keptPercent <= 100
  const isWindow = Number.isInteger(smallestWindow) && Number(smallestWindow) >= 1
  return {
    rule: ADVICE_RULES.find((one) => one === rule) ?? DEFAULT_ADVICE.rule,
    keptShare: isShare ? keptPercent / 100 : DEFAULT_ADVICE.keptShare,
    smallestWindow: isWindow ? Number(smallestWindow) : DEFAULT_ADVICE.smallestWindow,
  }
}

interface HasAdvice {
  readonly getState: () => { readonly advice: AdviceSettings }
  readonly setState: (part: { readonly advice: AdviceSettings }) => void
  readonly subscribe: (changed: () => void) => () => void
}

/** Loads the stored settings into a store and saves every change; returns a function that stops it. */
export function syncStoredAdvice(store: HasAdvice, storage: () => TextStorage): () => void {
  return syncStored(store, storage, {
    key: STORAGE_KEYS.advice,
    current: () => store.getState().advice,
    load: (text) => store.setState({ advice: readStoredAdvice(text) }),
    write: ({ rule, keptShare, smallestWindow }) =>
      JSON.stringify({ rule, keptPercent: Math.round(keptShare * 1e4) / 100, smallestWindow }),
  })
}
