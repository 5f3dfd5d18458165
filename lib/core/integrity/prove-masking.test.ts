import { describe, expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import { maskDocument } from '../mask/mask-document'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { repairDocument } from '../repair/repair-document'
import { turnOf } from '../testing/conversation-of'
import { anyDocument } from '../testing/documents'
import { anyActivePolicy, countQuarters } from '../testing/policies'
import { forAll } from '../testing/test-size'
import { CORPUS_FILES, readTranscript, SAMPLE_FILES, STREAM_FILES } from '../testing/transcripts'
import { checkArguments, checkHistory } from './check-history'
import { proveMasking } from './prove-masking'

const CONTENTS = { a: 'one "quoted" \\ text', b: 'two', c: 'three' }
const MESSAGES = Object.entries(CONTENTS).flatMap(([id, content]) => turnOf(id, content))
const LINES = MESSAGES.map((one) => JSON.stringify(one)).join('\n')
const postData = { mimeType: 'application/json', text: JSON.stringify({ messages: MESSAGES }) }
const HAR = JSON.stringify({
  log: { entries: [{ request: { method: 'POST', url: 'https://example.com', postData } }] },
})
const POLICY = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }

function masked(text: string, policy: MaskPolicy = POLICY) {
  const document = { text, ...readDocument(text) }
  const { text: output, edits } = maskDocument(document, policy, countQuarters)
  return { output, edits }
}

test('for all documents and policies, only the masked strings differ', () => {
  forAll(60, [anyDocument, anyActivePolicy], ({ text }, policy) => {
    const { output, edits } = masked(text, policy)
    const changed = edits.filter((edit) => text.slice(edit.start, edit.end) !== edit.text)
    expect(proveMasking(text, output, edits)).toEqual({ state: 'proven', strings: changed.length })
  })
})

test.each([
  ['beside a line that is not JSON', `${LINES}\n{"odd`],
  ['in JSON in a string', HAR],
])('counts the strings %s', (_, text) => {
  const { output, edits } = masked(text)
  expect(proveMasking(text, output, edits)).toEqual({ state: 'proven', strings: 2 })
})

describe('any other difference refutes it', () => {
  const { output, edits } = masked(LINES)

  test.each([
    ['a role', (text: string) => text.replace('"role":"tool"', '"role":"user"')],
    ['an id', (text: string) => text.replace('"id":"c"', '"id":"d"')],
    ['a space', (text: string) => text.replace(',', ', ')],
    ['a number in place of a string', (text: string) => text.replace('"three"', '3')],
    ['a member less', (text: string) => text.replace(',"content":"three"', '')],
    ['a member more', (text: string) => text.replace('"three"', '"three","b":1')],
    ['a line less', (text: string) => text.slice(0, text.lastIndexOf('\n'))],
    ['a string behind the last line', (text: string) => `${text}"x"`],
    ['a line more', (text: string) => `${text}\n{}`],
    ['a masked string that came back', () => LINES],
    ['a string that is not closed', (text: string) => text.slice(0, -5)],
  ])('%s', (_, change) => {
    const changed = change(output)
    expect(changed).not.toBe(output)
    expect(proveMasking(LINES, changed, edits).state).toBe('refuted')
    // Any text is compared with any other; neither has to be JSON.
    expect(proveMasking(changed, LINES, edits).state).toBe('refuted')
  })

  test('inside a string too', () => {
    const nested = masked(HAR)
    const body = HAR.indexOf('"{')
    const role = nested.output.replace('\\"tool\\"', '\\"user\\"')
    const space = nested.output.replace(',\\"', ', \\"')
    for (const changed of [role, space]) {
      expect(changed).not.toBe(nested.output)
      expect(proveMasking(HAR, changed, nested.edits)).toEqual({ state: 'refuted', offset: body })
    }
  })
})

const FAULTS: Readonly<Record<string, string>> = {
  // Damaged on purpose.
  'broken-history.json': 'broken_arguments, empty_result_id, orphan, repeated_id, unanswered_call',
  // One result is in a member with a typing error.
  'claude-code/edge-cases-unparsable-line.jsonl': 'unanswered_call',
  // Their READMEs count results without calls.
  'claude-code/session-orphan-result.jsonl': 'orphan',
  'gemini/gemini-cli-trajectory.json': 'orphan',
  'openai-chat/inspect-orphan-results.json': 'orphan',
  // Arguments that are an object in a format that writes a text, and a result recorded after another call.
  'codex/session-schema-drift.jsonl': 'broken_arguments',
  'codex/session-small.jsonl': 'not_behind',
  // Two answers with a call each come before their results.
  'langchain/langgraph-thread.json': 'not_behind',
  // Ids are used twice.
  'openai-chat/swe-agent-last-query.json': 'repeated_id',
  'openai-chat/tau-bench-airline-40-runs.jsonl': 'repeated_id',
  'openai-chat/tau-bench-airline-task2.json': 'repeated_id',
  'swe-agent/function-calling.traj': 'repeated_id',
}

test.each([...SAMPLE_FILES, ...STREAM_FILES, ...CORPUS_FILES])('$name', (file) => {
  const text = readTranscript(file)
  const { conversations, format } = readDocument(text)
  const { calls } = repairDocument({ text, format: format.id, conversations })
  const broken = new Set(calls.map(({ span }) => span.start))
  const found = conversations.flatMap((one) => [
    ...checkHistory(one),
    ...checkArguments(one, broken),
  ])
  expect([...new Set(found.map(({ rule }) => rule))].sort().join(', ')).toBe(
    FAULTS[file.name] ?? '',
  )
})
