import type { ReadConversation } from '../../conversation/conversation'
import { readDocument } from '../../formats/read-document'
import { countConversation } from '../../tokens/count-conversation'
import type { RepeatedCallsOptions, RepeatedCallsReport } from '../find-repeated-calls'
import { findRepeatedCalls } from '../find-repeated-calls'
import { ALL_GUARDS, DEFAULT_LIMITS } from '../guards'

export const OPTIONS: RepeatedCallsOptions = {
  limits: DEFAULT_LIMITS,
  guards: ALL_GUARDS,
  signatureTurns: 3,
  fewestErrors: 3,
}

const countCharacters = (text: string) => text.length

/** Finds the repeated calls of a conversation; its tokens are characters. */
export function inspectConversation(
  conversation: ReadConversation,
  options = OPTIONS,
): RepeatedCallsReport {
  const counts = countConversation(conversation, countCharacters)
  return findRepeatedCalls(conversation, counts, countCharacters, () => undefined, options)
}

/** Finds the repeated calls of each conversation in a text. */
export function inspectText(text: string, options = OPTIONS): RepeatedCallsReport[] {
  const { conversations } = readDocument(text)
  return conversations.map((conversation) => inspectConversation(conversation, options))
}
