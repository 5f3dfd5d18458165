import type { ReadConversation } from '../conversation/conversation'
import { type Decision, decide } from '../policy/decide'
import type { MaskPolicy } from '../policy/policy'
import { applyEdits } from '../text/span'
import { countTextsTokens } from '../tokens/count-conversation'
import { countRequestTokens } from '../tokens/message-tokens'
import { type MaskEdit, maskEdits } from './mask-edits'

export interface MaskedDocument {
  /** The source text with masked strings replaced; nothing else is changed. */
  readonly text: string
  readonly edits: readonly MaskEdit[]
  /** By conversation and result. */
  readonly decisions: readonly (readonly Decision[])[]
}

/** Applies a policy to every conversation of a document. `countTokens` is needed as in `maskOldToolResults`. */
export function maskDocument(
  document: { readonly text: string; readonly conversations: readonly ReadConversation[] },
  policy: MaskPolicy,
  countTokens?: (text: string) => number,
): MaskedDocument {
  const decisions = document.conversations.map((conversation) =>
    decideConversation(conversation, policy, countTokens),
  )
  const edits = maskEdits(document.conversations, decisions)
  return { text: applyEdits(document.text, edits), edits, decisions }
}

/** Decides every result of a conversation that was read with its texts. */
export function decideConversation(
  conversation: ReadConversation,
  policy: MaskPolicy,
  countTokens: ((text: string) => number) | undefined,
): Decision[] {
  const textsOf = (index: number) => conversation.resultTexts[index] as readonly string[]
  return decide(conversation, policy, {
    textOf: (index) => textsOf(index).join(''),
    tokensOf: countTokens && ((index) => countTextsTokens(textsOf(index), countTokens)),
    placeholderTokensOf: countTokens && ((_, placeholder) => countTokens(placeholder)),
    requestTokens:
      countTokens && policy.triggerTokens > 0
        ? countRequestTokens(conversation.messageTexts, conversation.toolSchemas, countTokens)
        : undefined,
  })
}
