/** What providers reject in the requests that mechanisms send, and do not reject in the requests without them. */
import { describe, expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import { checkHistory } from '../integrity/check-history'
import { testSize } from '../testing/test-size'
import { CORPUS_FILES, readTranscript, SAMPLE_FILES, shortFiles } from '../testing/transcripts'
import type { SessionHistory } from './history'
import { defaultSettings, type MessageEdits, NO_EDITS, type Settings } from './mechanism'
import { MECHANISMS } from './mechanisms'
import { mechanismSteps } from './run-mechanism'
import { historiesOf } from './testing/test-history'
import { writeRequest } from './write-request'

const MOST = testSize(50_000, 3_000_000)
/** The last requests of a session, which are checked. */
const LAST = testSize(1, 3)

/** Settings that change something in short sessions. */
const EAGER: Readonly<Record<string, Settings>> = {
  schema1: { window_turns: 3 },
  'anthropic-clear-tool-uses': { 'trigger.input_tokens': 500, clear_tool_inputs: true },
  'anthropic-compact': { trigger: 2_000, summary_tokens: 50 },
  'langchain-js-clear-tool-uses': { 'trigger.tokens': 500, clearToolInputs: true },
  'langchain-py-clear-tool-uses': { trigger: 500, clear_tool_inputs: true },
  'ai-sdk-prune-messages': { toolCalls: 'before-last-3-messages' },
  'openai-agents-trim': { recent_turns: 1, max_output_chars: 50, preview_chars: 10 },
  'opencode-prune': { prune: true, PRUNE_PROTECT: 100, PRUNE_MINIMUM: 10 },
  'gemini-cli-mask': { protectionThresholdTokens: 500, minPrunableThresholdTokens: 100 },
  'hermes-prune': {
    proactive_prune_tokens: 100,
    proactive_prune_min_result_chars: 200,
    proactive_prune_min_reclaim_tokens: 0,
    protect_last_n: 2,
    protect_first_n: 0,
  },
  'openhands-mask': { attention_window: 5 },
  'openhands-recent': { max_events: 6 },
  'openhands-amortized': { max_size: 8 },
  'openhands-summary': { max_size: 8, summary_tokens: 20 },
  'swe-agent-last-n': { n: 3 },
  'claude-code-cold-clear': { enabled: true, gapThresholdMinutes: 0, keepRecent: 1, tools: [] },
  'claude-code-compact': { CLAUDE_CODE_AUTO_COMPACT_WINDOW: 35_000, summary_tokens: 50 },
  truncate: { head_chars: 50, tail_chars: 50 },
  'superseded-first': { keep: 2, clear_at_least: 10 },
  summary: { every_turns: 2, recent_turns: 2 },
  'used-again': { window_turns: 2, batch_turns: 1, spared_turns: 3 },
}

/**
 * LangChain leaves out results whose call has arguments that are no JSON, but not the call. A result that comes later than the
 * answer after its call is not summarised with it.
 */
const KNOWN: Readonly<Record<string, string>> = {
  'langchain-js-clear-tool-uses': 'unanswered_call',
  summary: 'orphan',
  'anthropic-compact': 'orphan',
  'claude-code-compact': 'orphan',
}

/** Places of a request that providers reject, by rule. */
function placesIn(history: SessionHistory, edits: MessageEdits, request: number) {
  const { messages } = writeRequest(history, edits, request) as { messages: readonly object[] }
  const places = new Map<string, number>()
  if (messages.length === 0) return places
  const text = JSON.stringify({ messages })
  for (const conversation of readDocument(text, { format: 'openai-chat' }).conversations)
    for (const { rule } of checkHistory(conversation)) places.set(rule, (places.get(rule) ?? 0) + 1)
  return places
}

/** Of each request without a mechanism, which all mechanisms have in common. */
const placesBefore = new Map<SessionHistory, Map<number, ReadonlyMap<string, number>>>()

function placesWithout(history: SessionHistory, request: number) {
  const known = placesBefore.get(history) ?? new Map<number, ReadonlyMap<string, number>>()
  placesBefore.set(history, known)
  const places = known.get(request) ?? placesIn(history, NO_EDITS, request)
  known.set(request, places)
  return places
}

const histories = shortFiles([...SAMPLE_FILES, ...CORPUS_FILES], MOST).flatMap((file) =>
  historiesOf(readTranscript(file)),
)

describe.each(MECHANISMS.map((one) => [one.id, one] as const))('%s', (id, mechanism) => {
  test('adds nothing that providers reject', () => {
    const settings = { ...defaultSettings(mechanism), ...EAGER[id] }
    let changed = 0
    const added = histories.flatMap((history) =>
      [...mechanismSteps(history, mechanism, settings)]
        .slice(-LAST)
        .flatMap(({ edits }, at, last) => {
          if (edits.size === 0) return []
          changed++
          const request = history.ends.length - last.length + at
          const before = placesWithout(history, request)
          const rules = [...placesIn(history, edits, request)]
          return rules.flatMap(([rule, count]) => (count > (before.get(rule) ?? 0) ? [rule] : []))
        }),
    )
    expect(added.filter((rule) => rule !== KNOWN[id])).toEqual([])
    // Times are in few files.
    expect(changed).toBeGreaterThan(id === 'claude-code-cold-clear' ? 0 : 5)
  })
})
