import type { PlaygroundState } from '../store'
import type { DraftDatabase, ThreadOutcome } from './draft-database'
import { DRAFT_VERSION, type DraftBody } from './draft-records'
import { newKey } from './new-key'

/** A conversation made on the page, to be kept among the drafts without being opened. */
export interface Thread {
  /** The same key is the same thread: it is kept once. */
  readonly key: string
  readonly name: string
  readonly text: string
  readonly turns: number
}

const FORMAT_LABEL = 'OpenAI chat'

/**
 * Keeps a thread as a draft of its own, under the page's settings; one that was kept before takes the place of itself.
 * A draft the reader has since worked on is no thread any more, and stays.
 */
export async function keepThread(
  { keepThread: keep }: DraftDatabase,
  { policy, model }: Pick<PlaygroundState, 'policy' | 'model'>,
  { key: thread, name, text, turns }: Thread,
): Promise<ThreadOutcome> {
  return keep(thread, (id) => {
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
