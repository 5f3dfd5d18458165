import type { Usage } from '../conversation/conversation'

/** A usage in which only these members are known. */
export function usageWith(stated: Partial<Usage>): Usage {
  return {
    inputTokens: undefined,
    cacheReadTokens: undefined,
    cacheWriteTokens: undefined,
    cacheWriteHourTokens: undefined,
    outputTokens: undefined,
    reasoningTokens: undefined,
    totalTokens: undefined,
    model: undefined,
    at: undefined,
    statedCost: undefined,
    ...stated,
  }
}
