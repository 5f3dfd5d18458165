import type { ReadConversation } from '../../conversation/conversation'
import { DEFAULT_POLICY, type MaskPolicy } from '../../policy/policy'
import { type PreparedReplay, prepareReplay } from '../../replay/prepare-replay'
import { createSession, type Session } from '../../replay/sessions'
import type { JsonValue } from '../../testing/chat-messages'
import { conversationOf } from '../../testing/conversation-of'
import { countQuarters } from '../../testing/policies'
import { sourcesOf } from '../../testing/test-sessions'
import { countConversation } from '../../tokens/count-conversation'
import { findLaterUses, type LaterUse } from '../find-later-uses'
import { type LosableUse, losableUses } from '../lost-uses'

export const MASKING: MaskPolicy = { ...DEFAULT_POLICY, enabled: true }

/** The user message before the turns. */
export const begin: JsonValue = { role: 'user', content: 'Please cancel it.' }

export interface Measured {
  readonly conversation: ReadConversation
  readonly session: Session
  readonly uses: readonly LaterUse[]
  readonly prepared: PreparedReplay
  readonly losable: readonly LosableUse[]
}

/**
 * Finds the later uses in messages, and which of them a policy can lose; of every `signedEvery` answers, one has signed
 * thinking.
 */
export function measure(
  messages: readonly JsonValue[],
  policy = MASKING,
  signedEvery = 0,
): Measured {
  const conversation = withSigned(conversationOf(messages), signedEvery)
  const session = createSession(conversation, countConversation(conversation, countQuarters))
  const uses = findLaterUses(session, conversation)
  const prepared = prepareReplay(session, policy, sourcesOf(conversation))
  const losable = losableUses(uses, prepared, {
    template: policy.placeholderTemplate,
    resultTokens: session.counts.results,
  })
  return { conversation, session, uses, prepared, losable }
}

function withSigned(conversation: ReadConversation, every: number): ReadConversation {
  const answers = conversation.messages.flatMap(({ turn }, message) =>
    turn === undefined ? [] : [{ message, turns: turn }],
  )
  const signed = answers.filter((_, at) => every > 0 && at % every === every - 1)
  return {
    ...conversation,
    results: conversation.results.map((result) => ({
      ...result,
      signed: signed.find(({ message }) => message > result.message),
    })),
  }
}
