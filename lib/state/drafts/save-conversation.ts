import { INITIAL_DOCUMENT } from '../document/document-slice'
import { INITIAL_POLICY } from '../policy/policy-slice'
import type { PlaygroundState } from '../store'
import { createDescriber } from './describe-draft'
import type { DraftDatabase } from './draft-database'
import { byNewest } from './draft-records'

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

/** So many are kept. */
const MOST_CONVERSATIONS = 20

/** Removes the oldest saved conversations over the limit, except those that were worked on or are open in a tab. */
export async function removeOldConversations(
  { list, remove }: Pick<DraftDatabase, 'list' | 'remove'>,
  open: ReadonlySet<string> = new Set(),
): Promise<void> {
  const saved = (await list()).filter(({ id, thread }) => thread !== undefined && !open.has(id))
  const old = saved.toSorted(byNewest).slice(MOST_CONVERSATIONS)
  for (const { id } of old) await remove(id)
}
