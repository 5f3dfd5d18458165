import { firstRequestWith, fixedFrom, type PreparedReplay } from './prepare-replay'
import type { Tokens } from './prompt-cache'

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
  return {
    ...prepared,
    maskings,
    clearings: prepared.clearings.filter(({ result }) => !tokensOf.has(result)),
    fixedFrom: fixedFrom(maskings, requests),
    maskableResults: prepared.maskableResults.filter((result) => !tokensOf.has(result)),
    firstTriggered,
    prefixTokens: prefixes,
    aging: prepared.aging.filter(({ result }) => !tokensOf.has(result)),
  }
}

/** The same session with more tokens before the first message of every request, such as an unseen system prompt. */
export function withHead(prepared: PreparedReplay, more: Tokens): PreparedReplay {
  const { session, prefixTokens } = prepared
  const { counts } = session
  return {
    ...prepared,
    session: { ...session, counts: { ...counts, perRequest: counts.perRequest + more } },
    prefixTokens: prefixTokens.map((tokens) => tokens + more),
  }
}
