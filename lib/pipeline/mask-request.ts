/** Masks the body of a request to a provider, by the readers' own rules. */
import type { ReadConversation } from '../core/conversation/conversation'
import { readDocument } from '../core/formats/read-document'
import { maskDocument } from '../core/mask/mask-document'
import type { TokenCounter } from '../core/mask/mask-old-tool-results'
import type { Decision } from '../core/policy/decide'
import type { MaskPolicy } from '../core/policy/policy'

/** What the requests of a process have in common. */
export interface MaskSession {
  /** Needed for the settings that count tokens. */
  readonly countTokens?: TokenCounter
}

export interface MaskedRequest {
  /** The body with its masked strings replaced; the same text if nothing is masked. */
  readonly text: string
  readonly report: MaskReport
}

export interface MaskReport {
  /** Empty if the policy is off: the body is then not read. */
  readonly conversations: readonly ReadConversation[]
  /** By conversation and result. */
  readonly decisions: readonly (readonly Decision[])[]
  readonly maskedResults: number
}

/** Throws a `ReadError` if the body is no conversation, a `RangeError` if the policy needs a missing counter. */
export function maskRequestBody(
  text: string,
  policy: MaskPolicy,
  { countTokens }: MaskSession = {},
): MaskedRequest {
  if (!policy.enabled || policy.windowTurns <= 0) {
    return { text, report: { conversations: [], decisions: [], maskedResults: 0 } }
  }
  const { conversations } = readDocument(text)
  const { decisions, text: masked } = maskDocument({ text, conversations }, policy, countTokens)
  const maskedResults = decisions.flat().filter(({ placeholder }) => placeholder !== undefined)
  return {
    text: masked,
    report: { conversations, decisions, maskedResults: maskedResults.length },
  }
}
