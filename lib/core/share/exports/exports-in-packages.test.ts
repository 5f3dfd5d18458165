/** Runs exported code in the packages it is written for. */
import { afterAll, describe, expect, test } from 'vitest'
import {
  CODING_SESSION,
  ESTIMATED,
  exported,
  inputFor,
  maskedIds,
  POLICIES,
} from './testing/export-samples'
import { type Cleared, runInAiSdk, runInLanggraph, sourceFolder } from './testing/run-in-packages'

const folder = sourceFolder('exports-in-packages')
afterAll(folder.end)

describe.each([
  ['ai_sdk', runInAiSdk],
  ['langgraph', runInLanggraph],
] as const)('%s, in the real package', (id, run) => {
  // Exact exports have the settings of the library call, which is run with all policies and samples.
  const policies = POLICIES.filter(([name]) => /^off|break out/.test(name))
  test.each(policies)('clears the results listed in the panel: %s', async (_, policy) => {
    for (const sample of [CODING_SESSION]) {
      const input = inputFor(sample, policy)
      const { text } = exported(id, input)
      const seen: Cleared = await run(folder.write(text), sample.messages)
      expect([...seen.keys()].sort(), sample.name).toEqual(maskedIds(input))
      for (const [index, decision] of input.shown.decisions.entries()) {
        const callId = input.shown.conversation.results[index]?.callId ?? ''
        expect(seen.get(callId)).toBe(decision.placeholder)
      }
    }
  })

  test('masks no request below the trigger', async () => {
    const sample = CODING_SESSION
    const { text } = exported(id, inputFor(sample, ESTIMATED))
    const seen = await run(folder.write(text), sample.messages)
    expect(seen.size).toBeGreaterThan(50)
    const small = { ...ESTIMATED, triggerTokens: 50_000_000 }
    const { text: never } = exported(id, inputFor(sample, small))
    expect((await run(folder.write(never), sample.messages)).size).toBe(0)
  })
})
