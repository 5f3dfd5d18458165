/** Histories for tests. */
import { readDocument } from '../../formats/read-document'
import { createSessions, type Session } from '../../replay/sessions'
import { resultOf } from '../../steps'
import type { ChatMessage, JsonValue } from '../../testing/chat-messages'
import { countQuarters } from '../../testing/policies'
import { countConversation } from '../../tokens/count-conversation'
import { findLaterUses } from '../../uses/find-later-uses'
import { measureInSteps, type PricedHistory } from '../best-settings'
import { readHistory, type SessionHistory } from '../history'
import type { Mechanism, Settings } from '../mechanism'
import { runMechanismInSteps } from '../run-mechanism'

/** The history of each session of a document; tokens are quarters of characters. */
export function historiesOf(text: string): SessionHistory[] {
  const { conversations } = readDocument(text)
  const counts = conversations.map((one) => countConversation(one, countQuarters))
  return createSessions(conversations, counts).map((session) => {
    const conversation = conversations[session.conversations.at(-1) as number]
    if (conversation === undefined) throw new RangeError('No conversation.')
    const uses = findLaterUses(session, conversation)
    return readHistory({ session, counted: session }, conversation, countQuarters, uses)
  })
}

/** The history of one list of messages. */
export function historyOf(messages: readonly JsonValue[]): SessionHistory {
  const [history, ...others] = historiesOf(JSON.stringify(messages))
  if (history === undefined || others.length > 0) throw new RangeError('Not one session.')
  return history
}

/** The same messages with each result after its call. */
export function inOrder(messages: readonly ChatMessage[]): ChatMessage[] {
  const results = messages.filter(({ role }) => role === 'tool')
  const callsOf = ({ tool_calls = [] }: ChatMessage) => tool_calls as readonly { id: string }[]
  return messages.flatMap((message) => {
    if (message.role === 'tool') return []
    const answers = callsOf(message).map(({ id }) =>
      results.find(({ tool_call_id }) => tool_call_id === id),
    )
    return [message, ...answers.filter((one) => one !== undefined)]
  })
}

/** A session for a mechanism that needs no texts, such as one that only leaves out messages. */
export function withoutTexts(session: Session): SessionHistory {
  const texts = { messageTexts: [], resultTexts: [], callArguments: [] }
  return readHistory({ session, counted: session }, texts, () => 0, [])
}

/** What is measured of a session. */
export function measureMechanism(
  history: SessionHistory,
  mechanism: Mechanism,
  settings: Settings,
  terms: PricedHistory['terms'],
) {
  return resultOf(measureInSteps({ history, terms }, mechanism, settings)).measure
}

/** What a mechanism does in each request of a session. */
export const runMechanism = (...given: Parameters<typeof runMechanismInSteps>) =>
  resultOf(runMechanismInSteps(...given))
