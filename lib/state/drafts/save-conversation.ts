import * as v from 'valibot'
import type { PlaygroundState } from '../store'
import { readStored, STORAGE_KEYS, type TextStorage } from '../sync-stored'
import type { DraftDatabase, SaveConversationOutcome } from './draft-database'
import { DRAFT_VERSION, type DraftBody, newKey } from './draft-records'

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
export async function saveConversation(
  { saveConversation: save }: DraftDatabase,
  { policy, model }: Pick<PlaygroundState, 'policy' | 'model'>,
  { key: thread, name, text, turns }: ConversationToSave,
): Promise<SaveConversationOutcome> {
  return save(thread, (id) => {
    const textKey = newKey()
    const revision = newKey()
    const origin = { kind: 'paste' } as const
    const body: DraftBody = {
      version: DRAFT_VERSION,
      past: [],
      future: [],
      documents: [{ draft: id, revision, extras: undefined }],
      sources: [
        {
          text: { key: textKey },
          name,
          origin,
          readAs: undefined,
          document: 0,
        },
      ],
      source: 0,
      policy,
      pinned: undefined,
      model,
      conversation: 0,
    }
    const record = {
      ...{ version: DRAFT_VERSION, id, revision, thread, name, origin, turns },
      formatLabel: FORMAT_LABEL,
      bytes: new Blob([text]).size,
      keptAt: Date.now(),
      texts: [textKey],
    }
    return { record, body, texts: new Map([[textKey, { text }]]) }
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
