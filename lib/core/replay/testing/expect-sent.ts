/** A replay against its requests as lists of parts. */
import { expect } from 'vitest'
import { flatPrices, prefixRule } from '../../testing/test-sessions'
import type { RequestChanges } from '../request-changes'
import { createRequestPass } from '../request-pass'
import { prefixTokensOf, type Session } from '../sessions'

/** The parts of a request in order; equal texts have equal keys. */
export type Sent = readonly { readonly key: string; readonly tokens: number }[]

/** Every request compared with all before it, part by part. */
function referenceReads(sent: readonly Sent[], perRequest: number): number[] {
  return sent.map((own, at) => {
    let longest = at === 0 ? 0 : perRequest
    for (const earlier of sent.slice(0, at)) {
      let tokens = perRequest
      for (const [index, part] of earlier.entries()) {
        if (own[index]?.key !== part.key) break
        tokens += part.tokens
      }
      longest = Math.max(longest, tokens)
    }
    return longest
  })
}

/** Expects the tokens of the requests, and that each reads what it begins with like an earlier one. */
export function expectSent(session: Session, changes: RequestChanges, expected: readonly Sent[]) {
  const { messages, perRequest } = session.counts
  const prefixTokens = prefixTokensOf(messages, perRequest)
  const passed: { readonly tokens: number; readonly read: number }[] = []
  const terms = { prices: flatPrices(1, 1, 1, 1), rule: prefixRule() }
  createRequestPass({ session, prefixTokens }, terms, changes).run((_, tokens, read) => {
    passed.push({ tokens, read })
  })
  expect(passed.map(({ tokens }) => tokens)).toEqual(
    expected.map((parts) => parts.reduce((total, { tokens }) => total + tokens, perRequest)),
  )
  expect(passed.map(({ read }) => read)).toEqual(referenceReads(expected, perRequest))
}
