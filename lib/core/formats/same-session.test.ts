/** One long session with parallel calls, published in three formats: nothing but the writing may differ. */
import { expect, test } from 'vitest'
import { maskDocument } from '../mask/mask-document'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { CORPUS_FILES, HAS_CORPUS, readTranscript } from '../testing/transcripts'
import { readDocument } from './read-document'

const WRITTEN = CORPUS_FILES.filter(({ name }) =>
  ['openai-chat', 'openai-responses', 'gemini'].some(
    (folder) => name === `${folder}/long-parallel-calls.json`,
  ),
).map((file) => {
  const text = readTranscript(file)
  return { text, ...readDocument(text) }
})

const POLICIES: readonly (readonly [string, Partial<MaskPolicy>])[] = [
  ['the default policy', {}],
  ['a window of one turn and nothing kept', { windowTurns: 1, keepErrors: false }],
  ['a window moved in batches', { windowTurns: 8, batchTurns: 16 }],
  ['the last two of each tool kept', { windowTurns: 1, keepLastKPerTool: 2 }],
  ['a tool kept', { windowTurns: 4, excludeTools: ['Read'] }],
]

/** Turns, calls, results, texts; and what a policy decides, with its reasons and placeholders. */
function sessionOf(document: (typeof WRITTEN)[number], policy: Partial<MaskPolicy>) {
  const [conversation] = document.conversations
  const { decisions } = maskDocument(document, { ...DEFAULT_POLICY, enabled: true, ...policy })
  return {
    conversations: document.conversations.length,
    turns: conversation?.turnCount,
    calls: conversation?.calls.map(({ id, name, turn }) => ({ id, name, turn })),
    results: conversation?.results.map(({ callId, turn, toolName, chars, errorRules }, index) => ({
      callId,
      turn,
      toolName,
      chars,
      errorRules,
      text: conversation.resultTexts[index]?.join('\n'),
    })),
    decisions: decisions[0]?.map(({ reason }) => reason),
  }
}

test.skipIf(!HAS_CORPUS).each(POLICIES)('is decided alike under %s', (_, policy) => {
  const [first, ...others] = WRITTEN.map((document) => sessionOf(document, policy))
  expect(others).toHaveLength(2)
  expect(first?.turns).toBe(267)
  expect(first?.results).toHaveLength(303)
  for (const other of others) expect(other).toEqual(first)
})
