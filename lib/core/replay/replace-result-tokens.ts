import { firstRequestWith, fixedFrom, type PreparedReplay } from './prepare-replay'
import { sentTokensOf } from './sessions'
import type { Tokens } from './units'

/**
 * The same session with other contents in place of some results, given by their tokens. These contents are in every
 * request from the first on and are never masked. `tokensOf` is by result; `triggerTokens` is that of the policy.
 */
export function replaceResultTokens(
  prepared: PreparedReplay,
  tokensOf: ReadonlyMap<number, Tokens>,
  triggerTokens: Tokens,
): PreparedReplay {
  const { session, prefixTokens } = prepared
  const { conversation, counts, requests } = session
  const changes = new Map<number, Tokens>()
  for (const [index, tokens] of tokensOf) {
    const message = conversation.results[index]?.message as number
    const change = tokens - (counts.results[index] as number)
    changes.set(message, (changes.get(message) ?? 0) + change)
  }
  let change = 0
  const prefixes = prefixTokens.map((tokens, message) => {
    const changed = tokens + change
    change += changes.get(message) ?? 0
    return changed
  })
  const firstTriggered = firstRequestWith(session, prefixes, triggerTokens)
  const maskings = prepared.maskings.filter(
    ({ result, until }) => !tokensOf.has(result) && until > firstTriggered,
  )
  const clearings = prepared.clearings.filter(({ result }) => !tokensOf.has(result))
  return {
    session,
    results: prepared.results,
    maskings,
    clearings,
    fixedFrom: fixedFrom(maskings, requests),
    maskableResults: prepared.maskableResults.filter((result) => !tokensOf.has(result)),
    firstTriggered,
    tokensBefore: sentTokensOf(requests, prefixes, clearings),
    prefixTokens: prefixes,
    aging: prepared.aging.filter(({ result }) => !tokensOf.has(result)),
    cache: prepared.cache,
  }
}

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
