import { type Decision, decide } from '../policy/decide'
import type { MaskPolicy } from '../policy/policy'
import { linkResults } from './link-results'
import type { Session } from './sessions'
import type { Tokens } from './units'

/** Texts and placeholder tokens, by index of the result. */
export interface ReplaySources {
  /** The text of a result, all parts joined. Called only for results as long as a placeholder. */
  readonly textOf: (index: number) => string
  /** Tokens of a placeholder. */
  readonly placeholderTokensOf: (index: number, placeholder: string) => Tokens
}

/**
 * Decides the results of one request by what was known when it was sent. Later turns, ids and results are ignored.
 * Returns one decision for each result that the request sends, in the order of the conversation.
 */
export function decideRequest(
  session: Session,
  index: number,
  policy: MaskPolicy,
  sources: ReplaySources,
): Decision[] {
  const { conversation, counts, requests } = session
  const request = requests[index]
  if (request === undefined) return []
  const results = linkResults(conversation, requests).flatMap((links) => {
    const link = links.findLast(({ from }) => from <= index)
    return link === undefined ? [] : [link.result]
  })
  return decide({ results, turnCount: request.turnCount }, policy, {
    textOf: sources.textOf,
    tokensOf: (result) => counts.results[result] as number,
    placeholderTokensOf: sources.placeholderTokensOf,
    requestTokens: counts.messages
      .slice(0, request.end)
      .reduce((total, tokens) => total + tokens, counts.perRequest),
  })
}
