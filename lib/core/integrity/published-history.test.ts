/** No sample or published file has a finding that its own format makes normal: each finding here is a fault of the file. */
import { expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import { repairDocument } from '../repair/repair-document'
import { CORPUS_FILES, readTranscript, SAMPLE_FILES, STREAM_FILES } from '../testing/transcripts'
import { checkArguments, checkHistory } from './check-history'

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
