import { type Decision, decide } from '../policy/decide'
import type { MaskPolicy } from '../policy/policy'
import type { Session } from './requests'
import { linkResults } from './result-links'
import type { Tokens } from './units'

/** What deciding needs beside facts and counts; by index of the result. */
export interface ReplaySources {
  /** The text of a result, all its parts joined. Asked only for texts as long as a placeholder. */
  readonly textOf: (index: number) => string
  /** Tokens of a placeholder. */
  readonly placeholderTokensOf: (index: number, placeholder: string) => Tokens
}

/**
 * Decides for the results of one request as it was then: turns, ids and results after it are not known.
 * One decision for each result the request sends, in the order of the conversation.
 */
export function decideRequest(
  session: Session,
  at: number,
  policy: MaskPolicy,
  sources: ReplaySources,
): Decision[] {
  const { conversation, counts, requests } = session
  const request = requests[at]
  if (request === undefined) return []
  const results = linkResults(conversation, requests).flatMap((links) => {
    const link = links.findLast(({ from }) => from <= at)
    return link === undefined ? [] : [link.result]
  })
  return decide({ results, turnCount: request.turnCount }, policy, {
    textOf: sources.textOf,
    tokensOf: (index) => counts.results[index] as number,
    placeholderTokensOf: sources.placeholderTokensOf,
    requestTokens: counts.messages
      .slice(0, request.end)
      .reduce((total, tokens) => total + tokens, counts.perRequest),
  })
}
