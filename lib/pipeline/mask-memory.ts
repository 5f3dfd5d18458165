/**
 * Remembers which results of a session were masked. A history that lost its first turns counts fewer turns, so that steps
 * of the window would end elsewhere: results that were masked would come back, and the provider's cache would lose them.
 */

import type { ReadConversation } from '../core/conversation/conversation'
import { isSamePolicy, type MaskPolicy } from '../core/policy/policy'
import { hashOf } from '../core/text/hash-of'

/** What a request says of its session. */
interface ArrivingRequest {
  readonly policy: MaskPolicy
  /** A hash of its messages before the model's first answer. */
  readonly head: string
  /** True without any answer: with the head of its session, it starts the session anew. */
  readonly isFirst: boolean
  readonly hasTools: boolean
}

/** The key of a session, and what its request says. */
export type Arrival = readonly [session: string, request: ArrivingRequest]

export type MaskMemory = Readonly<ReturnType<typeof createMaskMemory>>

/** What is known of a session before a request. */
export type KnownSession = Readonly<ReturnType<MaskMemory['arrive']>>

interface Session extends Pick<ArrivingRequest, 'policy' | 'head'> {
  readonly hadTools: boolean
  /** Ids of the calls whose results were masked. */
  readonly callIds: Set<string>
  /** Of its key and its ids. */
  chars: number
}

const MOST_CHARS = 8_000_000
/** Of one session. A longer history has its window by its turns alone: each request would carry all of its ids. */
export const MOST_CALLS = 10_000

/**
 * A memory of at most `mostChars` characters of call ids and session keys, about 200,000 ids by default. It forgets the
 * session that sent no request for the longest time. A session whose policy changes starts again.
 */
export function createMaskMemory(mostChars = MOST_CHARS) {
  // In the order of their last requests.
  const sessions = new Map<string, Session>()
  let chars = 0
  const forget = (key: string): void => {
    chars -= sessions.get(key)?.chars ?? 0
    sessions.delete(key)
  }
  const keep = (key: string, session: Session): void => {
    forget(key)
    sessions.set(key, session)
    chars += session.chars
    for (const oldest of sessions.keys()) {
      if (chars <= mostChars) break
      forget(oldest)
    }
  }
  return {
    /** Takes note of a request before it is decided. */
    arrive: (...[key, { policy, head, isFirst, hasTools }]: Arrival) => {
      const before = sessions.get(key)
      const isKept =
        before !== undefined &&
        isSamePolicy(before.policy, policy) &&
        !(isFirst && before.head === head)
      const { hadTools, callIds } = isKept
        ? before
        : { hadTools: false, callIds: new Set<string>() }
      const length = isKept ? before.chars : key.length
      keep(key, { policy, head, hadTools: hadTools || hasTools, callIds, chars: length })
      return { hadTools, callIds: callIds as ReadonlySet<string> }
    },
    /** Takes note of the calls whose results are masked in a session that has arrived. */
    remember: (key: string, callIds: readonly string[]) => {
      const session = sessions.get(key)
      if (session === undefined) return
      forget(key)
      for (const id of callIds) {
        if (!session.callIds.has(id)) session.chars += id.length
        session.callIds.add(id)
      }
      const isLong = session.callIds.size > MOST_CALLS
      keep(key, isLong ? { ...session, callIds: new Set(), chars: key.length } : session)
    },
  }
}

/** A hash of the messages before the model's first answer, which every request of a session repeats. */
export function headOf({ messages, messageTexts }: ReadConversation): string {
  const first = messages.findIndex(({ isAssistant }) => isAssistant)
  const texts = messageTexts.slice(0, first === -1 ? messages.length : first)
  return hashOf(JSON.stringify(texts.map(({ role, contents }) => [role, contents])))
}
