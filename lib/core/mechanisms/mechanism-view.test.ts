/** What a page shows of a mechanism, against the requests that it sends, written out. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resultOf } from '../steps'
import type { ChatMessage } from '../testing/chat-messages'
import { countQuarters } from '../testing/policies'
import { anySessionMessages, flatPrices, prefixRule } from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import { forgottenResults } from './measure-mechanism'
import type { MessageEdit } from './mechanism'
import { viewedMechanism } from './mechanism-view'
import { MECHANISMS } from './mechanisms'
import { anySettings } from './testing/any-settings'
import { historiesOf, measureMechanism, runMechanism } from './testing/test-history'
import { writeRequest } from './write-request'

const terms = { prices: flatPrices(8, 1, 10, 40), rule: prefixRule() }
const anyRepeat = fc.record({ result: fc.nat({ max: 9 }), request: fc.nat({ max: 9 }) })

describe.each(MECHANISMS.map((one) => [one.id, one] as const))('%s', (_, mechanism) => {
  test('each request has the results that the page shows, and costs and forgets what was measured', () => {
    const given = [anySessionMessages, anySettings(mechanism), fc.array(anyRepeat)] as const
    forAll(40, given, (messages, settings, repeats) => {
      for (const history of historiesOf(JSON.stringify(messages))) {
        const { ends } = history
        const { results } = history.session.conversation
        const repeated = repeats.filter(
          ({ result, request }) => result < results.length && request < ends.length,
        )
        const run = runMechanism(history, mechanism, settings)
        const session = { history, terms, repeated }
        const { view, unchanged } = resultOf(
          viewedMechanism(session, mechanism, settings, countQuarters),
        )
        expect(unchanged?.tokens).toBe(
          history.ends.reduce((sum, end) => sum + (history.prefixTokens[end] ?? 0), 0),
        )

        const shown = new Map<number, string | undefined>()
        for (const [request, { edits }] of run.steps.entries()) {
          for (const { result, content, tokens } of view.changes[request] ?? []) {
            shown.set(result, content)
            expect(tokens).toBe(content === undefined ? 0 : countQuarters(content))
          }
          const sent = writeRequest(history, edits, request) as { messages: ChatMessage[] }
          const expected = history.messages.slice(0, ends[request]).flatMap((message, at) => {
            const isGone = edits.get(at)?.isRemoved === true
            if (message.result === undefined) return []
            const now = shown.get(message.result) ?? message.content
            if (isGone) expect(now).toBe('')
            return isGone ? [] : [now]
          })
          const written = sent.messages.filter(({ role }) => role === 'tool')
          expect(written.map(({ content }) => content)).toEqual(expected)
        }

        const measure = measureMechanism(history, mechanism, settings, terms)
        const tokens = view.sides.map((side) => side.tokens)
        expect(view.total.tokens).toBe(measure.tokens)
        expect(view.total.costs.cached).toBeCloseTo(measure.cost as number, 12)
        const again = view.again.flatMap((at) => repeated[at]?.result ?? [])
        expect(new Set([...view.lost.map(({ result }) => result), ...again])).toEqual(
          forgottenResults(history, run, repeated),
        )

        // Where the last request has all messages, it is the next one.
        const last = run.steps.at(-1)
        if (last === undefined || ends.at(-1) !== history.messages.length) continue
        expect(view.nextTokens).toBe(tokens.at(-1))
        const isShown = ([at, edit]: readonly [number, MessageEdit]) =>
          history.messages[at]?.result !== undefined && !edit.isRemoved && !edit.calls
        const alone = new Map([...last.edits].filter(isShown))
        const write = (edits: typeof alone) => writeRequest(history, edits, ends.length - 1)
        const isWhole = JSON.stringify(write(alone)) === JSON.stringify(write(new Map(last.edits)))
        // An edit can write what stood there.
        if (view.otherChanges === 0) expect(isWhole).toBe(true)
        else expect(last.edits.size).toBeGreaterThan(alone.size)
      }
    })
  })
})
