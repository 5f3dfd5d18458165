/**
 * Remembers which results of a session were masked. A history that lost its first turns counts fewer turns, so that steps
 * of the window would end elsewhere: results that were masked would come back, and the provider's cache would lose them.
 */
import type { ReadConversation } from '../core/conversation/conversation'
import { isSamePolicy, type MaskPolicy } from '../core/policy/policy'

export interface MaskMemory {
  /** Ids of the calls whose results this policy masked in the session. */
  readonly maskedIn: (session: string, policy: MaskPolicy) => ReadonlySet<string>
  readonly remember: (session: string, policy: MaskPolicy, callIds: readonly string[]) => void
}

interface Session {
  readonly policy: MaskPolicy
  readonly callIds: Set<string>
  chars: number
}

const NO_IDS: ReadonlySet<string> = new Set()
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
    chars -= sessions.get(key)?.chars ?? 0
    sessions.delete(key)
  }
  const find = (key: string, policy: MaskPolicy): Session | undefined => {
    const session = sessions.get(key)
    return session !== undefined && isSamePolicy(session.policy, policy) ? session : undefined
  }
  return {
    maskedIn: (key, policy) => find(key, policy)?.callIds ?? NO_IDS,
    remember: (key, policy, callIds) => {
      const session = find(key, policy) ?? { policy, callIds: new Set(), chars: key.length }
      forget(key)
      for (const id of callIds) {
        if (session.callIds.has(id)) continue
        session.callIds.add(id)
        session.chars += id.length
      }
      sessions.set(key, session)
      chars += session.chars
      for (const oldest of sessions.keys()) {
        if (chars <= mostChars) break
        forget(oldest)
      }
    },
  }
}

/** A key of the session: a hash of its messages before the model's first answer, which every request repeats. */
export function sessionKeyOf({ messages, messageTexts }: ReadConversation): string {
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
