import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Session } from '../replay/sessions'
import { expectSent, type Sent } from '../replay/testing/expect-sent'
import { fourRequests } from '../replay/testing/four-requests'
import { anySessionMessages, flatPrices, prefixRule, testSession } from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import { defaultSettings } from './mechanism'
import { summary } from './summary'
import { measureMechanism, runMechanism, withoutTexts } from './testing/test-history'

const OVERHEAD = 4
const settingsOf = (every_turns: number, recent_turns: number, summary_tokens: number) => ({
  ...defaultSettings(summary),
  ...{ every_turns, recent_turns, summary_tokens },
})

test('on four requests, calculated by hand: two summaries are written and paid for, and each breaks the prefix', () => {
  // With one turn kept and a summary for every turn, of 20 tokens and 4 around it:
  // request 3 is 4,100 - 1,050 + 24 = 3,074; its summary reads 1,050
  // request 4 is 4,650 - 3,100 + 24 = 1,574; its summary reads 20 + 2,050 = 2,070
  // Requests: 1,000 + 2,050 + 3,074 + 1,574 = 7,698; calls: 3,120 in, 40 out.
  // Read: requests 2, 3 and 4 the first 1,000 each: only what comes before the first turn stays.
  const terms = { prices: flatPrices(10, 1, 10, 50), rule: prefixRule(500) }
  const measureOf = (session: Session) =>
    measureMechanism(withoutTexts(session), summary, settingsOf(1, 1, 20), terms)
  const calls = 3120 * 10e-6 + 40 * 50e-6
  expect(measureOf(fourRequests())).toMatchObject({
    tokens: 7698 + 3120,
    cost: expect.closeTo(3000e-6 + 4698 * 10e-6 + calls, 12),
    extraRequests: 2,
    rewrites: 2,
  })
  // A model at a fifth of the price writes them: only the calls cost less.
  const cheaper = { ...settingsOf(1, 1, 20), price_percent: 20 }
  const byAnother = measureMechanism(withoutTexts(fourRequests()), summary, cheaper, terms)
  expect(byAnother.cost).toBeCloseTo(3000e-6 + 4698 * 10e-6 + calls / 5, 12)
  // A log that begins with request 3 begins with a summary; request 4 reads the first 1,000.
  const session = fourRequests()
  expect(measureOf({ ...session, requests: session.requests.slice(2) })).toMatchObject({
    tokens: 3074 + 1574 + 3120,
    cost: expect.closeTo(1000e-6 + (3074 + 574) * 10e-6 + calls, 12),
    extraRequests: 2,
  })
  const unknown = { ...terms, prices: { ...terms.prices, output: undefined } }
  const measured = measureMechanism(withoutTexts(session), summary, settingsOf(1, 1, 20), unknown)
  expect(measured.cost).toBeUndefined()
})

function summarisedRequests(
  session: Session,
  settings: { everyTurns: number; recentTurns: number; summaryTokens: number },
): Sent[] {
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
      { key: `summary ${summarised}`, tokens: settings.summaryTokens + OVERHEAD },
      ...parts.slice(parts.indexOf(first)),
    ]
  })
}

test('summaries equal a list of parts, and share equal parts with earlier requests', () => {
  const anySettings = fc.record({
    everyTurns: fc.integer({ min: 1, max: 5 }),
    recentTurns: fc.integer({ min: 1, max: 4 }),
    summaryTokens: fc.constantFrom(1, 30),
  })
  forAll(200, [anySessionMessages, anySettings], (messages, settings) => {
    const { session } = testSession(messages)
    const { everyTurns, recentTurns, summaryTokens } = settings
    const chosen = settingsOf(everyTurns, recentTurns, summaryTokens)
    const { changes, steps } = runMechanism(withoutTexts(session), summary, chosen)
    const expected = summarisedRequests(session, settings)
    expectSent(session, changes, expected)
    const summaries = expected.flat().filter(({ key }) => key.startsWith('summary'))
    const written = steps.filter(({ extra }) => extra !== undefined).length
    expect(written).toBe(new Set(summaries.map(({ key }) => key)).size)
  })
})
