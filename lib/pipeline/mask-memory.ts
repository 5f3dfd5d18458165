/**
 * Remembers which results of a session were masked. A history that lost its first turns counts fewer turns, so that steps
 * of the window would end elsewhere: results that were masked would come back, and the provider's cache would lose them.
 */
import type { ReadConversation } from '../core/conversation/conversation'
import { isSamePolicy, type MaskPolicy } from '../core/policy/policy'

/** What a request says of its session. */
export interface ArrivingRequest {
  /** A hash of its messages before the model's first answer. */
  readonly head: string
  /** True without any answer: with the head of its session, it starts the session anew. */
  readonly isFirst: boolean
  readonly hasTools: boolean
}

export interface MaskMemory {
  /** Takes note of a request before it is decided; true if one before it in the session had tools. */
  readonly arrive: (session: string, request: ArrivingRequest) => boolean
  /** Ids of the calls whose results this policy masked in the session. */
  readonly maskedIn: (session: string, policy: MaskPolicy) => ReadonlySet<string>
  readonly remember: (session: string, policy: MaskPolicy, callIds: readonly string[]) => void
}

interface Session {
  readonly head: string
  readonly hadTools: boolean
  /** Undefined until a result is masked. */
  readonly policy: MaskPolicy | undefined
  readonly callIds: Set<string>
  readonly chars: number
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
  const keep = (key: string, session: Session): void => {
    forget(key)
    sessions.set(key, session)
    chars += session.chars
    for (const oldest of sessions.keys()) {
      if (chars <= mostChars) break
      forget(oldest)
    }
  }
  const isOf = (session: Session | undefined, policy: MaskPolicy): session is Session =>
    session?.policy !== undefined && isSamePolicy(session.policy, policy)
  return {
    arrive: (key, { head, isFirst, hasTools }) => {
      const before = sessions.get(key)
      const isAnew = before === undefined || (isFirst && before.head === head)
      const session = isAnew ? emptySession(key, head) : before
      keep(key, { ...session, hadTools: session.hadTools || hasTools })
      return session.hadTools
    },
    maskedIn: (key, policy) => {
      const session = sessions.get(key)
      return isOf(session, policy) ? session.callIds : NO_IDS
    },
    remember: (key, policy, callIds) => {
      const before = sessions.get(key) ?? emptySession(key, '')
      const { head, hadTools } = before
      const session = isOf(before, policy)
        ? before
        : { ...emptySession(key, head), hadTools, policy }
      const known = session.callIds
      const added = callIds.filter((id) => !known.has(id))
      for (const id of added) known.add(id)
      const more = added.reduce((sum, id) => sum + id.length, 0)
      keep(key, { ...session, chars: session.chars + more })
    },
  }
}

function emptySession(key: string, head: string): Session {
  const chars = key.length + head.length
  return { head, hadTools: false, policy: undefined, callIds: new Set(), chars }
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
