/** Each mechanism does what the vendor's own tests say, and what the vendor's code did in further cases. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../testing/chat-messages'
import type { HistoryMessage, SessionHistory } from './history'
import {
  defaultSettings,
  type MessageEdit,
  type MessageEdits,
  type SettingValue,
} from './mechanism'
import { MECHANISMS } from './mechanisms'
import { historyOf } from './testing/test-history'

const FOLDER = new URL('./cases/', import.meta.url)

interface CaseFile {
  /** The code that the cases are about. */
  readonly source: string
  readonly cases: readonly VendorCase[]
  /** Cases of the vendor that a history cannot express, with the reason. */
  readonly leftOut?: readonly { readonly name: string; readonly reason: string }[]
}

interface VendorCase {
  readonly name: string
  readonly source: string
  readonly settings: Readonly<Record<string, SettingValue>>
  readonly messages: readonly JsonValue[]
  /** Requests by the messages that they have; one with all messages unless given. */
  readonly ends?: readonly number[]
  /** Results that the format marks as errors, by position. */
  readonly failed?: readonly number[]
  /** The state before the first of them, if it is not the one that a mechanism starts with. */
  readonly state?: unknown
  /** Tokens of the request before each of these; 0 unless given. */
  readonly sentTokens?: readonly number[]
  /** What changes in the last request, and in those before it where that is also checked. */
  readonly expected: readonly Expected[]
  readonly expectedBefore?: readonly (readonly Expected[])[]
}

interface Expected extends MessageEdit {
  readonly at: number
}

/** Reads a file of cases, in which a long text is a list of texts and of repeated texts with their number. */
function readCases(name: string): CaseFile {
  return JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'), (_, value) => {
    if (typeof value !== 'object' || value === null || Object.keys(value).join() !== 'text')
      return value
    if (typeof value.text === 'string') return value
    const pieces: readonly (string | [string, number])[] = value.text
    return pieces
      .map((piece) => (typeof piece === 'string' ? piece : piece[0].repeat(piece[1])))
      .join('')
  })
}

function withFailed(history: SessionHistory, failed: readonly number[] = []): SessionHistory {
  const { session, messages } = history
  const marked = new Set(failed.map((at) => messages[at]?.result))
  const results = session.conversation.results.map((one, result) =>
    marked.has(result) ? { ...one, errorRules: ['flag' as const] } : one,
  )
  return { ...history, session: { ...session, conversation: { ...session.conversation, results } } }
}

/** What differs from the messages, in their order. */
function changesIn(messages: readonly HistoryMessage[], edits: MessageEdits): Expected[] {
  return messages.flatMap((message, at): Expected[] => {
    const { isRemoved, content, calls = {} } = edits.get(at) ?? {}
    if (isRemoved) return [{ at, isRemoved }]
    const written = Object.entries(calls).filter(
      ([call, text]) => text !== message.calls[Number(call)]?.arguments,
    )
    const change = {
      ...(content !== undefined && content !== message.content && { content }),
      ...(written.length > 0 && { calls: Object.fromEntries(written) }),
    }
    return Object.keys(change).length === 0 ? [] : [{ at, ...change }]
  })
}

for (const file of readdirSync(FOLDER)) {
  const { cases, leftOut = [] } = readCases(file)
  const id = file.replace('.json', '')
  const mechanism = MECHANISMS.find((one) => one.id === id)
  if (mechanism === undefined) throw new RangeError(`No mechanism has the cases of ${file}.`)

  describe(id, () => {
    it.each(cases)('$name', (one) => {
      const ends = one.ends ?? [one.messages.length]
      const history = withFailed(historyOf(one.messages), one.failed)
      const known = new Set(mechanism.rows.map(({ key }) => key))
      expect(Object.keys(one.settings).filter((key) => !known.has(key))).toEqual([])
      const settings = { ...defaultSettings(mechanism), ...one.settings }
      let state = one.state ?? mechanism.start
      const changes = ends.map((end, request) => {
        const sentTokens = one.sentTokens?.[request] ?? 0
        const sent = { history, end, request, sentTokens }
        const stepped = mechanism.step(sent, state, settings)
        state = stepped.state
        return changesIn(history.messages, stepped.edits)
      })
      expect(history.messages).toHaveLength(one.messages.length)
      expect(changes.at(-1)).toEqual(one.expected)
      if (one.expectedBefore) expect(changes.slice(0, -1)).toEqual(one.expectedBefore)
    })

    it('leaves out other cases of the vendor with a reason each', () => {
      const names = new Set(cases.map(({ name }) => name))
      expect(leftOut.filter(({ name, reason }) => names.has(name) || reason === '')).toEqual([])
    })
  })
}
