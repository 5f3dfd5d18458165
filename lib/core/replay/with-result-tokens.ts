import type { MaskFacts } from './mask-facts'
import type { Tokens } from './units'

/**
 * The facts of the same session, had something of so many tokens stood in the place of some results from the
 * beginning; by result. What stands there is never masked. `triggerTokens` is the policy's.
 */
export function withResultTokens(
  facts: MaskFacts,
  tokensOf: ReadonlyMap<number, Tokens>,
  triggerTokens: Tokens,
): MaskFacts {
  const { session, links, prefixTokens } = facts
  const { conversation, counts, requests } = session
  const changes = new Map<number, Tokens>()
  for (const [index, tokens] of tokensOf) {
    const message = conversation.results[index]?.message as number
    const change = tokens - (counts.results[index] as number)
    changes.set(message, (changes.get(message) ?? 0) + change)
  }
  let change = 0
  const prefixes = prefixTokens.map((tokens, message) => {
    const own = tokens + change
    change += changes.get(message) ?? 0
    return own
  })
  const tokensBefore = requests.map(({ end }) => prefixes[end] as number)
  const firstTriggered = tokensBefore.findIndex((tokens) => tokens >= triggerTokens)
  return {
    ...facts,
    links: links.map((ofResult, index) =>
      tokensOf.has(index)
        ? ofResult.map((link) => ({ ...link, placeholder: 0, savedTokens: 0 }))
        : ofResult,
    ),
    firstTriggered: firstTriggered === -1 ? requests.length : firstTriggered,
    tokensBefore,
    prefixTokens: prefixes,
  }
}
