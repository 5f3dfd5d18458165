/**
 * Remembers which results of a session were masked. A history that lost its first turns counts fewer turns, so that steps
 * of the window would end elsewhere: results that were masked would come back, and the provider's cache would lose them.
 */
import type { ReadConversation } from '../core/conversation/conversation'
import { isSamePolicy, type MaskPolicy } from '../core/policy/policy'

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

/** What is known of a session before a request. */
export interface KnownSession {
  readonly hadTools: boolean
  /** Ids of the calls whose results were masked. */
  readonly callIds: ReadonlySet<string>
}

export interface MaskMemory {
  /** Takes note of a request before it is decided. */
  readonly arrive: (...arrival: Arrival) => KnownSession
  /** Takes note of the calls whose results are masked in a session that has arrived. */
  readonly remember: (session: string, callIds: readonly string[]) => void
}

type Session = KnownSession & Pick<ArrivingRequest, 'policy' | 'head'>

const MOST_CHARS = 8_000_000

/**
 * A memory of at most `mostChars` characters of call ids and session keys, about 200,000 ids by default. It forgets the
 * session that sent no request for the longest time. A session whose policy changes starts again.
 */
export function createMaskMemory(mostChars = MOST_CHARS): MaskMemory {
  // In the order of their last requests.
  const sessions = new Map<string, Session>()
  let chars = 0
  const forget = (key: string): void => {
    const session = sessions.get(key)
    sessions.delete(key)
    if (session !== undefined) chars -= charsOf(key, session)
  }
  const keep = (key: string, session: Session): void => {
    forget(key)
    sessions.set(key, session)
    chars += charsOf(key, session)
    for (const oldest of sessions.keys()) {
      if (chars <= mostChars) break
      forget(oldest)
    }
  }
  return {
    arrive: (key, { policy, head, isFirst, hasTools }) => {
      const before = sessions.get(key)
      const isKept =
        before !== undefined &&
        isSamePolicy(before.policy, policy) &&
        !(isFirst && before.head === head)
      const session = isKept
        ? before
        : { policy, head, hadTools: false, callIds: new Set<string>() }
      keep(key, { ...session, hadTools: session.hadTools || hasTools })
      return session
    },
    remember: (key, callIds) => {
      const session = sessions.get(key)
      if (session !== undefined)
        keep(key, { ...session, callIds: new Set([...session.callIds, ...callIds]) })
    },
  }
}

function charsOf(key: string, { callIds }: Session): number {
  return [key, ...callIds].reduce((chars, id) => chars + id.length, 0)
}

/** A hash of the messages before the model's first answer, which every request of a session repeats. */
export function headOf({ messages, messageTexts }: ReadConversation): string {
  const first = messages.findIndex(({ isAssistant }) => isAssistant)
  const texts = messageTexts.slice(0, first === -1 ? messages.length : first)
  return hashOf(JSON.stringify(texts.map(({ role, contents }) => [role, contents])))
}

/** Two 32-bit FNV-1a hashes. Sessions with the same key only share their memory, which keeps the window either way. */
function hashOf(text: string): string {
  let first = 0x811c9dc5
  let second = 0x811c9dc5 ^ text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    first = Math.imul(first ^ unit, 0x01000193)
    second = Math.imul(second ^ unit, 0x01000197)
  }
  return `${(first >>> 0).toString(36)}-${(second >>> 0).toString(36)}`
}
