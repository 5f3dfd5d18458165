import type { PreparedReplay } from '../prepare-replay'
import type { Tokens } from '../units'

/** The same session with more tokens before the first message of every request, such as an unseen system prompt. */
export function withHead(prepared: PreparedReplay, more: Tokens): PreparedReplay {
  const { session, tokensBefore, prefixTokens } = prepared
  const { counts } = session
  return {
    ...prepared,
    session: { ...session, counts: { ...counts, perRequest: counts.perRequest + more } },
    tokensBefore: tokensBefore.map((tokens) => tokens + more),
    prefixTokens: prefixTokens.map((tokens) => tokens + more),
  }
}
