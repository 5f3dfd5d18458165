import { flatPrices } from '../../testing/test-sessions'
import type { CacheRule } from '../prompt-cache'
import { NO_CHANGES, type RequestChanges } from '../request-changes'
import { createRequestPass } from '../request-pass'
import { prefixTokensOf, type Session } from '../sessions'
import type { Tokens } from '../units'

/** The tokens of each request of a session, and those that it reads, with other contents or changes. */
export function passOf(
  session: Session,
  rule: CacheRule,
  {
    prefixTokens = prefixTokensOf(session.counts.messages, session.counts.perRequest),
    changes = NO_CHANGES,
  }: { readonly prefixTokens?: readonly Tokens[]; readonly changes?: RequestChanges },
) {
  const passed: { readonly tokens: Tokens; readonly read: Tokens }[] = []
  const terms = { prices: flatPrices(1, 1, 1, 1), rule }
  createRequestPass({ session, prefixTokens }, terms, changes).run((_, tokens, read) => {
    passed.push({ tokens, read })
  })
  return passed
}
