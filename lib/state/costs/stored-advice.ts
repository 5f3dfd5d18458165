/** How a setting is recommended, in local storage; the share is stored in percent. */
import { ADVICE_RULES, type AdviceSettings, DEFAULT_ADVICE } from '@/lib/core/replay/recommend'
import { STORAGE_KEYS } from '../storage-keys'
import { syncStored, type TextStorage } from '../sync-stored'

/** Reads stored settings; damaged or missing ones get their defaults. */
export function readStoredAdvice(text: string | null): AdviceSettings {
  const { rule, keptPercent, smallestWindow } = parsed(text)
  const isShare = typeof keptPercent === 'number' && keptPercent >= 0 && keptPercent <= 100
  const isWindow = Number.isInteger(smallestWindow) && Number(smallestWindow) >= 1
  return {
    rule: ADVICE_RULES.find((one) => one === rule) ?? DEFAULT_ADVICE.rule,
    keptShare: isShare ? keptPercent / 100 : DEFAULT_ADVICE.keptShare,
    smallestWindow: isWindow ? Number(smallestWindow) : DEFAULT_ADVICE.smallestWindow,
  }
}

function parsed(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
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
