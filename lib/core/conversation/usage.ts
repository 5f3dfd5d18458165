/** What the provider counted and charged for one request, as the transcript states it. */
import { addUp } from './add-up'

/** Tokens are those of the provider; what the transcript does not state is undefined. */
export interface Usage {
  /** All input tokens, including those read from the cache and written to it. */
  readonly inputTokens: number | undefined
  readonly cacheReadTokens: number | undefined
  /** Written to the cache, whatever the lifetime. */
  readonly cacheWriteTokens: number | undefined
  /** The part of `cacheWriteTokens` with a lifetime of one hour; undefined if no lifetime is stated. */
  readonly cacheWriteHourTokens: number | undefined
  /** Including reasoning. */
  readonly outputTokens: number | undefined
  readonly reasoningTokens: number | undefined
  /** Input and output together, where only the sum is stated. */
  readonly totalTokens: number | undefined
  readonly model: string | undefined
  /** Time of the answer, in milliseconds since 1970. */
  readonly at: number | undefined
  /** Dollars, where the transcript states a cost. */
  readonly statedCost: number | undefined
  /** Id of the answer; a fork of a session has answers with the ids of the first. */
  readonly id?: string | undefined
  /** Members that can change the prices of the request, such as `speed=fast`; standard ones are left out. */
  readonly service?: readonly string[] | undefined
  /** True if the request was sent masked and is written as it was before. */
  readonly isOfMasked?: boolean
  /** Searches of the web that the provider made for it. */
  readonly webSearches?: number | undefined
}

/** The sum of several; a number that one of them does not state is unknown. Undefined for none. */
export function sumUsage(parts: readonly Usage[]): UsageTotal | undefined {
  if (parts.length === 0) return undefined
  // What only the request of one answer has is left out.
  const { id: _, service: __, isOfMasked: ___, webSearches: ____, ...sum } = addUp(parts)
  const at = parts.findLast((part) => part.at !== undefined)?.at
  return { requests: undefined, ...sum, at }
}

/** Usage of a whole conversation, where a transcript states it for all requests together. */
export interface UsageTotal extends Usage {
  readonly requests?: number | undefined
}
