import { READABLE_SHARE } from '../../policy/break-even'
import type { Tokens } from '../prompt-cache'
import type { Session } from '../sessions'

/** What requests read after a change or a loss, if the first one wrote all that it sent; undefined for any other. */
export function readableTokensOf(requests: Session['requests']): Tokens | undefined {
  const first = requests[0]?.usage
  const written = first?.cacheWriteTokens
  if (first?.cacheReadTokens !== 0 || !written) return undefined
  // A request that reads less than the first one wrote has lost that, but for the head.
  const losses = requests.flatMap(({ usage }) => {
    const read = usage?.cacheReadTokens
    return usage?.model === first.model && read && read < written ? [read] : []
  })
  return Math.round(losses.length > 0 ? median(losses) : READABLE_SHARE * written)
}

/** The middle value, or the mean of the two; 0 for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? upper) + upper) / 2
}
