/** What the page keeps in the browser, which may refuse every access to it. No other code asks for its storage. */
import type { ModelOverrides, OverridesByModel } from '@/lib/core/replay/model-overrides'
import { checkModelOverrides } from '@/lib/core/replay/model-overrides'
import { ADVICE_RULES, type AdviceSettings, DEFAULT_ADVICE } from '@/lib/core/replay/recommend'
import { readLoopSettings, storedLoopSettings } from './loop/loop-settings'
import type { PlaygroundState, PlaygroundStore } from './store'

/** Keys in local storage. Deleting all stored data removes them. */
export const STORAGE_KEYS = {
  prices: 'masking-playground.prices',
  advice: 'masking-playground.advice',
  recentModels: 'masking-playground.recent-models',
  loop: 'masking-playground.loop',
  view: 'masking-playground.view',
  language: 'masking-playground.language',
  /** The target that was last copied or saved under Use it. */
  target: 'masking-playground.target',
  /** Set by the theme library. */
  theme: 'theme',
} as const

export type TextStorage = Pick<Storage, 'getItem' | 'setItem'>

/** What `parse` makes of a stored text; of null if nothing is stored, storage is refused or the text is damaged. */
export function readStored<Value>(
  storage: () => TextStorage,
  key: string,
  parse: (text: string | null) => Value,
): Value {
  try {
    return parse(storage().getItem(key))
  } catch {
    return parse(null)
  }
}

/** Called with the first choice that the browser does not keep. */
let onRefused: (() => void) | undefined

/** Stores a text; if the browser refuses, a choice lasts as long as the page, which is said once. */
export function writeStored(storage: () => TextStorage, key: string, text: string): void {
  try {
    storage().setItem(key, text)
  } catch {
    if (!Object.values<string>(STORAGE_KEYS).includes(key)) return
    onRefused?.()
    onRefused = undefined
  }
}

/** Removes a text, which a browser that refuses does not have. */
export function removeStored(storage: () => Pick<Storage, 'removeItem'>, key: string): void {
  try {
    storage().removeItem(key)
  } catch {}
}

/** Undefined where the browser has no databases, or does not let the page ask for them. */
export function browserDatabases(): IDBFactory | undefined {
  try {
    return globalThis.indexedDB
  } catch {
    return undefined
  }
}

const MAX_MODELS = 500

/** Reads stored overrides; drops only the damaged entries. */
export function readStoredOverrides(text: string | null): OverridesByModel {
  const overrides: Record<string, ModelOverrides> = Object.create(null)
  for (const [key, value] of Object.entries(storedRecord(text)).slice(0, MAX_MODELS)) {
    const checked = checkModelOverrides(value)
    if (checked.state === 'valid') overrides[key] = checked.overrides
  }
  return overrides
}

/** A stored object; empty if nothing or something else is stored. */
export function storedRecord(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Reads stored settings; damaged or missing ones get their defaults. */
function readStoredAdvice(text: string | null): AdviceSettings {
  const { rule, keptPercent, smallestWindow } = storedRecord(text)
  const isShare = typeof keptPercent === 'number' && keptPercent >= 0 && keptPercent <= 100
  const isWindow = Number.isInteger(smallestWindow) && Number(smallestWindow) >= 1
  return {
    rule: ADVICE_RULES.find((one) => one === rule) ?? DEFAULT_ADVICE.rule,
    keptShare: isShare ? keptPercent / 100 : DEFAULT_ADVICE.keptShare,
    smallestWindow: isWindow ? Number(smallestWindow) : DEFAULT_ADVICE.smallestWindow,
  }
}

interface StoredSetting {
  readonly key: string
  readonly current: (state: PlaygroundState) => unknown
  readonly load: (text: string | null, state: PlaygroundState) => Partial<PlaygroundState>
  readonly write: (state: PlaygroundState) => string
}

const STORED_SETTINGS: readonly StoredSetting[] = [
  {
    key: STORAGE_KEYS.prices,
    current: ({ modelOverrides }) => modelOverrides,
    load: (text, { modelOverrides }) => ({
      modelOverrides: { ...readStoredOverrides(text), ...modelOverrides },
    }),
    write: ({ modelOverrides }) => JSON.stringify(modelOverrides),
  },
  {
    key: STORAGE_KEYS.advice,
    current: ({ advice }) => advice,
    load: (text) => ({ advice: readStoredAdvice(text) }),
    write: ({ advice: { rule, keptShare, smallestWindow } }) =>
      JSON.stringify({ rule, keptPercent: Math.round(keptShare * 1e4) / 100, smallestWindow }),
  },
  {
    key: STORAGE_KEYS.loop,
    current: ({ loop }) => loop.settings,
    load: (text, { loop }) => ({
      loop: { ...loop, settings: readLoopSettings(storedRecord(text)) },
    }),
    write: ({ loop }) => storedLoopSettings(loop.settings),
  },
]

/** Loads the stored settings and saves every change of them; returns a function that stops it. */
export function syncStored(
  { getState: get, setState, subscribe }: PlaygroundStore,
  storage: () => TextStorage,
  sayRefused?: () => void,
): () => void {
  onRefused = sayRefused
  for (const { key, load } of STORED_SETTINGS)
    setState(readStored(storage, key, (text) => load(text, get())))
  return subscribe((state, before) => {
    for (const { key, current, write } of STORED_SETTINGS)
      if (current(state) !== current(before)) writeStored(storage, key, write(state))
  })
}
