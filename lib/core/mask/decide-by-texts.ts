import type { PolicyOfModel } from '../policy/break-even'
import { type Decision, decide } from '../policy/decide'
import { countTextsTokens } from '../tokens/count-conversation'

/** Counts the tokens of a text under the caller's encoding. */
export type TokenCounter = (text: string) => number

/** Decides every result by its texts. `requestTokens` is called if the policy needs it, with the counter. */
export function decideByTexts(
  linked: Parameters<typeof decide>[0],
  policy: PolicyOfModel,
  textsOf: (result: number) => readonly string[],
  countTokens: TokenCounter | undefined,
  requestTokens: (countTokens: TokenCounter, end?: number) => number,
  onStep?: Parameters<typeof decide>[2]['onStep'],
): Decision[] {
  return decide(linked, policy, {
    onStep,
    textOf: (index) => textsOf(index).join(''),
    // Parts are sent separately; joined they can have fewer tokens.
    tokensOf: countTokens && ((index) => countTextsTokens(textsOf(index), countTokens)),
    placeholderTokensOf: countTokens && ((_, placeholder) => countTokens(placeholder)),
    requestTokens: countTokens && ((end) => requestTokens(countTokens, end)),
  })
}
