/** Runs exported code in the packages it is written for. */
import { afterAll, describe, expect, test } from 'vitest'
import type { ReadConversation } from '../../conversation/conversation'
import { plainPlaceholder } from './counting-exports'
import {
  CODING_SESSION,
  ESTIMATED,
  exported,
  idsOf,
  inputFor,
  ON,
  POLICIES,
  SAMPLES,
  sampleOf,
} from './testing/export-samples'
import {
  type Cleared,
  runInAiSdk,
  runInLangchain,
  runInLanggraph,
  sourceFolder,
} from './testing/run-in-packages'

const folder = sourceFolder('exports-in-packages')
afterAll(folder.end)

describe.each([
  ['ai_sdk', runInAiSdk],
  ['langgraph', runInLanggraph],
  ['langchain', runInLangchain],
] as const)('%s, in the real package', (id, run) => {
  const isExact = id !== 'langchain'

  // Exact exports have the settings of the library call, which is run with all policies and samples.
  const policies = POLICIES.filter(([name]) => !isExact || /^off|break out/.test(name))
  test.each(policies)('clears the results listed in the panel: %s', async (_, policy) => {
    for (const sample of isExact ? [CODING_SESSION] : SAMPLES) {
      const input = inputFor(sample, policy)
      const { text, cleared, notes } = exported(id, input)
      const seen: Cleared = await run(folder.write(text), sample.messages)
      expect([...seen.keys()].sort(), sample.name).toEqual(idsOf(input, cleared))
      if (!isExact) {
        const plain = plainPlaceholder(policy.placeholderTemplate)
        for (const placeholder of seen.values()) expect(placeholder).toBe(plain)
        continue
      }
      const isOff = notes.some(({ code }) => code === 'off')
      expect(notes.some(({ code }) => code === 'exact')).toBe(!isOff)
      for (const [index, decision] of (input.shown?.decisions ?? []).entries()) {
        const callId = input.shown?.conversation.results[index]?.callId ?? ''
        expect(seen.get(callId)).toBe(decision.placeholder)
      }
    }
  })

  test('masks no request below the trigger, whose size LangChain estimates', async () => {
    const sample = CODING_SESSION
    const { text, notes, cleared } = exported(id, inputFor(sample, ESTIMATED))
    const seen = await run(folder.write(text), sample.messages)
    expect(seen.size).toBeGreaterThan(50)
    expect(notes.some(({ code }) => code === 'trigger_estimated')).toBe(!isExact)
    expect(isExact && cleared === undefined).toBe(false)
    const small = { ...ESTIMATED, triggerTokens: 50_000_000 }
    const { text: never } = exported(id, inputFor(sample, small))
    expect((await run(folder.write(never), sample.messages)).size).toBe(0)
    if (isExact) return
    const { messages } = sample.document.conversations[0] as ReadConversation
    const chars = messages.reduce((sum, message) => sum + message.chars, 0)
    const near = { ...ESTIMATED, triggerTokens: Math.round(chars / 4) }
    expect(exported(id, inputFor(sample, near)).cleared).toBeUndefined()
  })
})

describe('langchain, on a history with parallel calls, an orphan and a misplaced result', () => {
  const asked = (...ids: readonly string[]) => ({
    ...{ role: 'assistant', content: '' },
    tool_calls: ids.map((id) => {
      const name = /[be]/.test(id) ? 'search' : 'read'
      return { id, type: 'function', function: { name, arguments: '{}' } }
    }),
  })
  const result = (id: string) => {
    return { role: 'tool', tool_call_id: id, content: `the output of ${id}` }
  }
  const messages = [
    { role: 'user', content: 'begin' },
    ...[asked('a', 'b'), result('b'), asked('c'), result('a'), result('nobody'), result('c')],
    ...[asked('d', 'e'), result('d'), result('e')],
  ]
  const sample = sampleOf('made.json', JSON.stringify(messages))

  test.each([1, 2, 3])('clears what the panel lists with a window of %i', async (windowTurns) => {
    const input = inputFor(sample, { ...ON, windowTurns, excludeTools: ['search'] })
    const { text, cleared, notes } = exported('langchain', input)
    const seen = await runInLangchain(folder.write(text), messages)
    expect([...seen.keys()].sort()).toEqual(idsOf(input, cleared))
    expect(notes).toContainEqual({ code: 'orphans_removed', values: { n: 1 } })
  })
})
