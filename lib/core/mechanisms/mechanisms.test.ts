/** Properties that every mechanism has. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChatMessage } from '../testing/chat-messages'
import {
  anyMessagesWithUniqueIds,
  anyReusingMessages,
  anySessionMessages,
} from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import { callOf } from './clear-results'
import type { SessionHistory } from './history'
import {
  defaultSettings,
  type Mechanism,
  type Picture,
  type SettingRow,
  type Settings,
  type SettingValue,
} from './mechanism'
import { MECHANISMS } from './mechanisms'
import { mechanismSteps } from './run-mechanism'
import { historiesOf, historyOf } from './testing/test-history'

const SMALL = [0, 1, 2, 3, 8, 40, 200]

/** Settings that change something in short sessions, also where the vendor allows no number that is so small. */
function anySettings(mechanism: Mechanism): fc.Arbitrary<Settings> {
  const anyValue = ({ value, options, least = 0, most = 1e6 }: SettingRow) => {
    if (options) return fc.constantFrom<SettingValue>(...options)
    if (typeof value === 'boolean') return fc.boolean()
    if (Array.isArray(value)) return fc.constantFrom<SettingValue>(value, ['read'])
    if (typeof value !== 'number') return fc.constant(value)
    const bound = (one: number) => Math.min(Math.max(one, least > 1_000 ? 0 : least), most)
    return fc.constantFrom(...SMALL.map(bound))
  }
  const rows = mechanism.rows.map((row) => [row.key, anyValue(row)])
  return fc
    .record(Object.fromEntries(rows) as Record<string, fc.Arbitrary<SettingValue>>)
    .map((settings) => ({ ...defaultSettings(mechanism), ...settings }))
}

/** What the messages become, as text that can be compared. */
function picturesOf(history: SessionHistory, mechanism: Mechanism, settings: Settings): string[] {
  return [...mechanismSteps(history, mechanism, settings)].map(({ picture }) => textOf(picture))
}

const textOf = (picture: Picture) => JSON.stringify([...picture].sort(([a], [b]) => a - b))

/** The same messages with each result after its call. */
function inOrder(messages: readonly ChatMessage[]): ChatMessage[] {
  const results = messages.filter(({ role }) => role === 'tool')
  const callsOf = ({ tool_calls = [] }: ChatMessage) => tool_calls as readonly { id: string }[]
  return messages.flatMap((message) => {
    if (message.role === 'tool') return []
    const answers = callsOf(message).map(({ id }) =>
      results.find(({ tool_call_id }) => tool_call_id === id),
    )
    return [message, ...answers.filter((one) => one !== undefined)]
  })
}

/** These leave out results whose call has arguments that are no JSON, as the vendor does. */
const LEAVES_CALLS = ['langchain-js-clear-tool-uses']

/** A result that comes later than the next message stays after the summary of its call. */
const NEEDS_ORDER = ['anthropic-compact', 'summary']

describe.each(MECHANISMS.map((mechanism) => [mechanism.id, mechanism] as const))(
  '%s',
  (id, mechanism) => {
    const settings = anySettings(mechanism)

    test('knows only the messages that a request has', () => {
      const anyLists = fc.oneof(anyMessagesWithUniqueIds, anyReusingMessages)
      forAll(25, [anyLists, settings], (messages, chosen) => {
        const history = historyOf(messages)
        const pictures = picturesOf(history, mechanism, chosen)
        for (const [request, end] of history.ends.entries()) {
          if (end === 0) continue
          const before = historyOf(messages.slice(0, end))
          expect(picturesOf(before, mechanism, chosen)[request]).toBe(pictures[request])
        }
      })
    })

    test('has a state that is JSON and that a step does not change', () => {
      forAll(30, [anySessionMessages, settings], (messages, chosen) => {
        for (const history of historiesOf(JSON.stringify(messages))) {
          const pictures = picturesOf(history, mechanism, chosen)
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
          expect(picturesOf(history, copied, chosen)).toEqual(pictures)
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
          for (const [request, { picture }] of [
            ...mechanismSteps(history, mechanism, chosen),
          ].entries()) {
            const end = history.ends[request] as number
            expect([...picture.keys()].filter((at) => at < 0 || at >= end)).toEqual([])
            expect(unpaired(history, end, picture)).toEqual([])
          }
      })
    })

    /** Positions of results of which the request has the call alone, or that it has without the call. */
    function unpaired(history: SessionHistory, end: number, picture: Picture): number[] {
      return history.messages.slice(0, end).flatMap(({ role }, at) => {
        const call = role === 'tool' ? callOf(history, at) : undefined
        if (call === undefined) return []
        const asked = picture.get(call.at)
        const isCallGone = asked?.isRemoved === true || asked?.calls?.[call.position] === null
        const isGone = picture.get(at)?.isRemoved === true
        if (isGone && !isCallGone && LEAVES_CALLS.includes(id)) return []
        return isGone === isCallGone ? [] : [at]
      })
    }
  },
)
