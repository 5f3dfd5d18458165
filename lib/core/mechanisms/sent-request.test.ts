/** The text of the request that a mechanism sends, and its marks, against the request and the session. */
import { describe, expect, test } from 'vitest'
import { resultOf } from '../steps'
import { anySessionMessages } from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import { UNCHANGED } from './as-it-ran'
import { MECHANISMS } from './mechanisms'
import { mechanismSteps } from './run-mechanism'
import { anySettings } from './testing/any-settings'
import { historiesOf } from './testing/test-history'
import { sentRequest, writeRequest } from './write-request'

describe.each(MECHANISMS.map((one) => [one.id, one] as const))('%s', (_, mechanism) => {
  test('what is written is the request; what is marked is what differs, and what is counted is left out', () => {
    forAll(5, [anySessionMessages, anySettings(mechanism)], (messages, settings) => {
      for (const history of historiesOf(JSON.stringify(messages))) {
        const steps = [...mechanismSteps(history, mechanism, settings)]
        expect(resultOf(sentRequest(history, mechanism, settings))).toEqual(
          resultOf(sentRequest(history, mechanism, settings, steps.length - 1)),
        )
        for (const [request, { edits }] of steps.entries()) {
          const sent = resultOf(sentRequest(history, mechanism, settings, request))
          if (sent === undefined) throw new RangeError('No request.')
          const body = writeRequest(history, edits, request)
          expect(JSON.parse(sent.text)).toEqual(JSON.parse(JSON.stringify(body)))
          expect(sent.before).toBe(resultOf(sentRequest(history, UNCHANGED, {}, request))?.text)
          const had = history.messages.slice(0, history.ends[request])
          const removed = had.filter((_, at) => edits.get(at)?.isRemoved)
          const counted = sent.leftOut.reduce((sum, one) => sum + one.messages, 0)
          expect(counted).toBe(removed.length)
          const lines = sent.text.split('\n')
          for (const { line } of sent.leftOut)
            expect(lines[line - 1]).toMatch(/^ {4}\},?$|"messages"/)
          // What is not marked stands in the request as it came, too.
          const before = new Set(
            JSON.stringify(writeRequest(history, new Map(), request), null, 2).split(/,?\n/),
          )
          const marked = new Set(sent.changedLines)
          for (const [at, line] of sent.text.trimEnd().split(/,?\n/).entries())
            if (!marked.has(at + 1) && line !== '  "messages": []') expect(before).toContain(line)
          const whole = new Map<number, boolean>()
          for (const [at, { message }] of had.entries())
            whole.set(message, whole.get(message) !== false && edits.get(at)?.isRemoved === true)
          for (const [message, isLeftOut] of whole)
            expect(sent.messages[message]?.isLeftOut).toBe(isLeftOut)
        }
      }
    })
  })
})
