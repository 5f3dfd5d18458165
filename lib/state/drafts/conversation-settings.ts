/** How conversations made on the page are saved; stored in local storage. */
import * as v from 'valibot'
import { STORAGE_KEYS } from '../storage-keys'
import type { TextStorage } from '../sync-stored'

const SETTINGS = v.object({
  /** True if runs and requests are saved as they are made. */
  isAutomatic: v.optional(v.boolean(), true),
  /** Number of saved conversations to keep; older ones that were never opened are removed. */
  most: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)), 20),
})

export type ConversationSettings = Readonly<v.InferOutput<typeof SETTINGS>>

export const DEFAULT_CONVERSATION_SETTINGS: ConversationSettings = v.parse(SETTINGS, {})

/** Reads the stored settings; the defaults if they are missing, damaged or refused. */
export function readConversationSettings(storage: () => TextStorage): ConversationSettings {
  try {
    const text = storage().getItem(STORAGE_KEYS.conversations)
    const stored = v.safeParse(SETTINGS, JSON.parse(text ?? '{}'))
    return stored.success ? stored.output : DEFAULT_CONVERSATION_SETTINGS
  } catch {
    return DEFAULT_CONVERSATION_SETTINGS
  }
}

export function writeConversationSettings(
  storage: () => TextStorage,
  settings: ConversationSettings,
): void {
  try {
    storage().setItem(STORAGE_KEYS.conversations, JSON.stringify(settings))
  } catch {
    // Refused: the settings last as long as the page.
  }
}
