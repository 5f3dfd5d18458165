import type { Conversation } from '@/lib/core/conversation/conversation'
import { type ChatBody, convertToChat } from '@/lib/core/convert/to-chat'
import type { Decision } from '@/lib/core/policy/decide'
import { remembered } from './remembered'
import { conversationOf, decisionsOf } from './selectors'
import type { PlaygroundState } from './store'

const bodyOf = remembered(
  (text: string, conversation: Conversation, decisions: readonly Decision[] | undefined) =>
    convertToChat(
      text,
      conversation,
      decisions?.map(({ placeholder }) => placeholder),
    ),
)

/** The conversation shown as a body of chat completions, as it is or masked; undefined without one. */
export function chatBodyOf(state: PlaygroundState, isMasked: boolean): ChatBody | undefined {
  const conversation = conversationOf(state)
  const decisions = decisionsOf(state)?.[state.conversation]
  if (state.read === undefined || conversation === undefined) return undefined
  if (isMasked && decisions === undefined) return undefined
  return bodyOf(state.read.source.text, conversation, isMasked ? decisions : undefined)
}

/** `run.jsonl` gives `run.2.masked.openai-chat.json`: its second conversation, masked. */
export function chatFileName(state: NamesConversation, isMasked: boolean): string {
  return conversationFileName(state, [...(isMasked ? ['masked'] : []), 'openai-chat.json'])
}

type NamesConversation = Pick<PlaygroundState, 'read' | 'conversation'>

/** A name for what is made of the conversation shown: that of its file, its number among several, and what it is. */
export function conversationFileName(
  { read, conversation }: NamesConversation,
  endings: readonly string[],
): string {
  const [, stem] = /^(.*?)(?:\.[A-Za-z0-9]{1,8})?$/s.exec(read?.source.name ?? '') ?? []
  const isOneOfMany = (read?.model.conversations.length ?? 0) > 1
  const parts = [stem || 'conversation', ...(isOneOfMany ? [conversation + 1] : []), ...endings]
  return parts.join('.')
}
