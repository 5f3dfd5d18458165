import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  anySessionMessages,
  flatPrices,
  prefixRule,
  testSession,
} from '../../testing/test-sessions'
import { forAll } from '../../testing/test-size'
import { NO_CHANGES, type RequestChanges } from '../request-changes'
import { createRequestPass } from '../request-pass'
import { prefixTokensOf, type Session } from '../sessions'
import { truncateResult, truncateSession } from './alternatives'
import { SUMMARY_OVERHEAD, type SummariseSettings, summariseSession } from './summarise-session'

/** The parts of a request in order; equal texts have equal keys. */
type Sent = readonly { readonly key: string; readonly tokens: number }[]

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

function summarisedRequests(session: Session, settings: SummariseSettings): Sent[] {
  const { conversation, counts, requests } = session
  return requests.map(({ end }) => {
    const parts = conversation.messages.slice(0, end).map(({ turn }, index) => ({
      key: String(index),
      tokens: counts.messages[index] as number,
      turn,
    }))
    const turns = parts.filter(({ turn }) => turn !== undefined)
    const old = turns.length - settings.recentTurns
    const summarised = old < settings.everyTurns ? 0 : old - (old % settings.everyTurns)
    const first = turns[summarised]
    const head = parts.findIndex(({ turn }) => turn !== undefined)
    if (summarised === 0 || first === undefined) return parts
    return [
      ...parts.slice(0, head),
      { key: `summary ${summarised}`, tokens: settings.summaryTokens + SUMMARY_OVERHEAD },
      ...parts.slice(parts.indexOf(first)),
    ]
  })
}

type Changed = { readonly prefixTokens?: readonly number[]; readonly changes?: RequestChanges }

function expectSent(session: Session, changed: Changed, expected: readonly Sent[]) {
  const { messages, perRequest } = session.counts
  const { prefixTokens = prefixTokensOf(messages, perRequest), changes = NO_CHANGES } = changed
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

describe('alternatives on generated sessions', () => {
  test('truncation equals a count message by message and never breaks the prefix', () => {
    forAll(150, [anySessionMessages, fc.integer({ min: 2, max: 40 })], (messages, half) => {
      const { session } = testSession(messages)
      const settings = { limitChars: 2 * half, headChars: half, tailChars: half }
      const prefixTokens = truncateSession(session, settings)
      const parts = session.conversation.messages.map((_, index) => {
        let tokens = session.counts.messages[index] as number
        for (const [at, result] of session.conversation.results.entries()) {
          if (result.message !== index) continue
          const before = session.counts.results[at] as number
          const own = truncateResult(result, before, settings)
          if (result.chars <= settings.limitChars) expect(own).toBe(before)
          tokens += own - before
        }
        return { key: String(index), tokens }
      })
      const sent = session.requests.map(({ end }) => parts.slice(0, end))
      expectSent(session, { prefixTokens }, sent)
    })
  })

  test('summaries equal a list of parts, and share equal parts with earlier requests', () => {
    const anySettings = fc.record({
      everyTurns: fc.integer({ min: 1, max: 5 }),
      recentTurns: fc.integer({ min: 1, max: 4 }),
      summaryTokens: fc.constantFrom(1, 30),
    })
    forAll(200, [anySessionMessages, anySettings], (messages, settings) => {
      const { session } = testSession(messages)
      const summarised = summariseSession(session, settings, { prices: flatPrices(1, 1, 1, 1) })
      const expected = summarisedRequests(session, settings)
      expectSent(session, summarised, expected)
      const summaries = expected.flat().filter(({ key }) => key.startsWith('summary'))
      expect(summarised.calls.count).toBe(new Set(summaries.map(({ key }) => key)).size)
    })
  })
})
