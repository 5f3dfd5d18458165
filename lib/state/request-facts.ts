import type { Conversation } from '@/lib/core/conversation/conversation'
import { remembered } from './remembered'
import { conversationOf } from './selectors'
import type { PlaygroundState } from './store'

const nonTextParts = remembered((conversation: Conversation) =>
  conversation.messages.reduce((total, message) => total + message.nonTextParts, 0),
)

/** Parts of the conversation shown that are no text, and so are not counted. */
export function nonTextPartsOf(state: PlaygroundState): number {
  const conversation = conversationOf(state)
  return conversation === undefined ? 0 : nonTextParts(conversation)
}
