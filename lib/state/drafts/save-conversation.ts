import * as v from 'valibot'
import { INITIAL_DOCUMENT } from '../document/document-slice'
import { INITIAL_POLICY } from '../policy/policy-slice'
import type { PlaygroundState } from '../store'
import { readStored, STORAGE_KEYS, type TextStorage } from '../sync-stored'
import { createDescriber } from './describe-draft'
import type { DraftDatabase } from './draft-database'

/** A conversation made on the page, to be saved as a draft without being opened. */
export interface ConversationToSave {
  /** Saving the same key again replaces the draft. */
  readonly key: string
  readonly name: string
  readonly text: string
  readonly turns: number
}

const FORMAT_LABEL = 'OpenAI chat'

/**
 * Saves a conversation as a draft with the page's settings, and replaces its earlier version. A draft that the user
 * has worked on since is not replaced.
 */
export function saveConversation(
  { saveConversation: save }: DraftDatabase,
  { policy, model }: Pick<PlaygroundState, 'policy' | 'model'>,
  { key: thread, name, text, turns }: ConversationToSave,
): ReturnType<DraftDatabase['saveConversation']> {
  const source = { ...INITIAL_DOCUMENT.source, text, name, origin: { kind: 'paste' } as const }
  const state = { ...INITIAL_DOCUMENT, ...INITIAL_POLICY, source, policy, model }
  return save(thread, (id, texts) => {
    const describer = createDescriber()
    describer.learnDraft(source.document, id, undefined)
    const { record, body } = describer.describe(state, texts)
    return { record: { ...record, thread, turns, formatLabel: FORMAT_LABEL }, body }
  })
}

/** Removes the oldest saved conversations over the limit, except those that were worked on or are open in a tab. */
export async function removeOldConversations(
  { list, remove }: Pick<DraftDatabase, 'list' | 'remove'>,
  most: number,
  open: ReadonlySet<string> = new Set(),
): Promise<void> {
  const saved = (await list()).filter(({ id, thread }) => thread !== undefined && !open.has(id))
  const old = saved.toSorted((one, other) => other.keptAt - one.keptAt).slice(most)
  for (const { id } of old) await remove(id)
}

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
  const parse = (text: string | null) => v.parse(SETTINGS, JSON.parse(text ?? '{}'))
  return readStored(storage, STORAGE_KEYS.conversations, parse)
}
