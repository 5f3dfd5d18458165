import type { PlaygroundState } from '../store'
import type { DraftDatabase, SaveConversationOutcome } from './draft-database'
import { DRAFT_VERSION, type DraftBody } from './draft-records'
import { newKey } from './new-key'

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
          text: { key: textKey, base: undefined, size: text.length },
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
