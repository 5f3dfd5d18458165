/** Properties that every mechanism has. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  anyMessagesWithUniqueIds,
  anyReusingMessages,
  anySessionMessages,
} from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import { callOf } from './clear-results'
import type { SessionHistory } from './history'
import type { Mechanism, MessageEdits, Settings } from './mechanism'
import { MECHANISMS } from './mechanisms'
import { mechanismSteps } from './run-mechanism'
import { anySettings } from './testing/any-settings'
import { historiesOf, historyOf, inOrder } from './testing/test-history'

/** What the messages become, as text that can be compared. */
function allEditsOf(history: SessionHistory, mechanism: Mechanism, settings: Settings): string[] {
  return [...mechanismSteps(history, mechanism, settings)].map(({ edits }) => textOf(edits))
}

const textOf = (edits: MessageEdits) => JSON.stringify([...edits].sort(([a], [b]) => a - b))

/** These leave out results whose call has arguments that are no JSON, as the vendor does. */
const LEAVES_CALLS = ['langchain-js-clear-tool-uses']

/** A result that comes later than the next message stays after the summary of its call. */
const NEEDS_ORDER = ['anthropic-compact', 'claude-code-compact', 'summary']

describe.each(MECHANISMS.map((mechanism) => [mechanism.id, mechanism] as const))(
  '%s',
  (id, mechanism) => {
    const settings = anySettings(mechanism)

    test('knows only the messages that a request has', () => {
      const anyLists = fc.oneof(anyMessagesWithUniqueIds, anyReusingMessages)
      forAll(25, [anyLists, settings], (messages, chosen) => {
        const history = historyOf(messages)
        const allEdits = allEditsOf(history, mechanism, chosen)
        for (const [request, end] of history.ends.entries()) {
          if (end === 0) continue
          const before = historyOf(messages.slice(0, end))
          expect(allEditsOf(before, mechanism, chosen)[request]).toBe(allEdits[request])
        }
      })
    })

    test('has a state that is JSON and that a step does not change', () => {
      forAll(30, [anySessionMessages, settings], (messages, chosen) => {
        for (const history of historiesOf(JSON.stringify(messages))) {
          const allEdits = allEditsOf(history, mechanism, chosen)
          const { step } = mechanism
          const copied: Mechanism = {
            ...mechanism,
            step: (sent, state, given) => {
              const before = JSON.stringify(state)
              const stepped = step(sent, JSON.parse(before), given)
              step(sent, state, given)
              expect(JSON.stringify(state)).toBe(before)
              return { ...stepped, state: JSON.parse(JSON.stringify(stepped.state)) }
            },
          }
          expect(allEditsOf(history, copied, chosen)).toEqual(allEdits)
        }
      })
    })

    test('leaves no call without its result, and no result without its call', () => {
      const anyOrdered = anyMessagesWithUniqueIds.map(inOrder)
      const anyLists = NEEDS_ORDER.includes(id)
        ? anyOrdered
        : fc.oneof(anyOrdered, anySessionMessages)
      forAll(30, [anyLists, settings], (messages, chosen) => {
        for (const history of historiesOf(JSON.stringify(messages)))
          for (const [request, { edits }] of [
            ...mechanismSteps(history, mechanism, chosen),
          ].entries()) {
            const end = history.ends[request] as number
            expect([...edits.keys()].filter((at) => at < 0 || at >= end)).toEqual([])
            expect(unpaired(history, end, edits)).toEqual([])
          }
      })
    })

    /** Positions of results of which the request has the call alone, or that it has without the call. */
    function unpaired(history: SessionHistory, end: number, edits: MessageEdits): number[] {
      return history.messages.slice(0, end).flatMap(({ role }, at) => {
        const call = role === 'tool' ? callOf(history, at) : undefined
        if (call === undefined) return []
        const asked = edits.get(call.at)
        const isCallGone = asked?.isRemoved === true || asked?.calls?.[call.position] === null
        const isGone = edits.get(at)?.isRemoved === true
        if (isGone && !isCallGone && LEAVES_CALLS.includes(id)) return []
        return isGone === isCallGone ? [] : [at]
      })
    }
  },
)
