/** Lines of a Claude Code session that were written twice, as happens when a session is taken up again. */
import { isJsonObject } from '../conversation/chat-message'
import type { MessagePiece, TwinPlace } from './build-conversation'
import type { Thread } from './claude-code-threads'

type JsonObject = Readonly<Record<string, unknown>>

/** A piece whose results may get more twins when their line comes again. */
export type OpenPiece = MessagePiece & { readonly twins: TwinPlace[][] }

/** Knows which lines stood before in the same thread. */
export class LineCopies {
  readonly #known = new Map<string, { thread: Thread; value: JsonObject; piece: OpenPiece }>()

  /** Notes a line that was added to a thread. */
  note(thread: Thread | undefined, value: JsonObject, piece: OpenPiece): void {
    if (thread !== undefined && typeof value.uuid === 'string')
      this.#known.set(value.uuid, { thread, value, piece })
  }

  /** Whether a line is the copy of one in the thread; its results then are twins of those there. */
  isCopy(thread: Thread | undefined, value: JsonObject, copy: OpenPiece): boolean {
    const known = typeof value.uuid === 'string' ? this.#known.get(value.uuid) : undefined
    if (known === undefined || known.thread !== thread) return false
    if (!isSameMessage(known.value.message, value.message)) return false
    for (const [index, { texts, filler = '' }] of copy.raw.results.entries()) {
      const own = texts.map(
        ({ path = [] }, part): TwinPlace => ({
          source: copy.source,
          path: [...copy.path, ...path],
          ...(part > 0 && { filler }),
        }),
      )
      known.piece.twins[index]?.push(...own, ...(copy.twins[index] ?? []))
    }
    return true
  }
}

function isSameMessage(one: unknown, other: unknown): boolean {
  return isJsonObject(one) && JSON.stringify(one) === JSON.stringify(other)
}
