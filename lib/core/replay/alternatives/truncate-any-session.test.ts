import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anySessionMessages, testSession } from '../../testing/test-sessions'
import { forAll } from '../../testing/test-size'
import { expectSent } from '../testing/expect-sent'
import { truncateResult, truncateSession } from './truncate-results'

describe('truncation on generated sessions', () => {
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
})
