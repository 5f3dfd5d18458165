import type { Conversation } from '@/lib/core/conversation/conversation'
import { type ChatBody, convertToChat } from '@/lib/core/convert/to-chat'
import type { BeforeAfter } from '@/lib/core/mask/measure-request'
import type { Decision } from '@/lib/core/policy/decide'
import { compactJson } from '@/lib/core/text/json'
import { sentMessagesOf, shownConversationOf, shownDecisionsOf } from '../costs/request-view'
import { conversationOf, isCurrent, slicesOf } from '../document/selectors'
import { decisionsOf } from '../policy/policy-view'
import { memoizeOf, ofShown, type PlaygroundState, select } from '../store'

const bodyOf = memoizeOf(
  (conversation: Conversation, text: string, decisions: readonly Decision[] | undefined) =>
    convertToChat(
      text,
      conversation,
      decisions?.map(({ placeholder }) => placeholder),
    ),
)

/** The shown conversation as a chat completions body, unmasked or masked; undefined until the current text is read. */
export function chatBodyOf(state: PlaygroundState, isMasked: boolean): ChatBody | undefined {
  const conversation = conversationOf(state)
  const decisions = decisionsOf(state)?.[state.conversation]
  if (state.read === undefined || !isCurrent(state) || conversation === undefined) return undefined
  if (isMasked && decisions === undefined) return undefined
  return bodyOf(conversation, state.read.source.text, isMasked ? decisions : undefined)
}

/** Bytes of the request shown as a body of chat completions without white space, unmasked and masked. */
export const jsonBytesOf = select(
  [shownConversationOf, sentMessagesOf, ofShown(shownDecisionsOf), ({ read }) => read],
  ({ messages, calls, results, ...rest }, end, decisions, { source }): BeforeAfter => {
    const isSent = ({ message }: { readonly message: number }) => message < end
    const own = { calls: calls.filter(isSent), results: results.filter(isSent) }
    const sent = { ...rest, ...own, messages: messages.slice(0, end) }
    const bytesOf = (placeholders?: readonly (string | undefined)[]) => {
      const { text } = convertToChat(slicesOf(source), sent, placeholders)
      return new TextEncoder().encode(compactJson(text)).length
    }
    return { before: bytesOf(), after: bytesOf(decisions.map(({ placeholder }) => placeholder)) }
  },
)

/** For example `run.2.masked.openai-chat.json` for the second conversation of `run.jsonl`, masked. */
export function chatFileName(state: NamesConversation, isMasked: boolean): string {
  return conversationFileName(state, [...(isMasked ? ['masked'] : []), 'openai-chat.json'])
}

type NamesConversation = Pick<PlaygroundState, 'read' | 'conversation'>

/**
 * A file name for an export of the shown conversation: the document's name, the conversation's number if there are
 * several, and a suffix.
 */
export function conversationFileName(
  { read, conversation }: NamesConversation,
  endings: readonly string[],
): string {
  const [, stem] = /^(.*?)(?:\.[A-Za-z0-9]{1,8})?$/s.exec(read?.source.name ?? '') ?? []
  const isOneOfMany = (read?.model.conversations.length ?? 0) > 1
  const parts = [stem || 'conversation', ...(isOneOfMany ? [conversation + 1] : []), ...endings]
  return parts.join('.')
}
