import { describe, expect, test, vi } from 'vitest'
import { FORMATS } from '@/lib/core/formats/read-document'
import { DEFAULT_POLICY } from '@/lib/core/policy/policy'
import { describeProblem } from '@/lib/core/problem'
import { loadEncoding } from '@/lib/core/tokens/encoding'
import { createJobRunner } from './job-runner'

const CONTEXT = { onProgress: () => {}, pause: () => Promise.resolve() }
const TEXT = '[{"role":"user","content":"hello"}]'

describe('a reader that throws', () => {
  test('gives a problem in the words of this project, for the open text and for a listed file', async () => {
    const run = createJobRunner(await loadEncoding('o200k_base'))
    const [format] = FORMATS
    if (format === undefined) throw new Error('There are no formats.')
    const recognise = vi.spyOn(format, 'recognise').mockImplementation(() => {
      throw new TypeError('Cannot convert object to primitive value')
    })
    const outcomes = [
      await run('read', { document: 1, text: TEXT, format: undefined }, CONTEXT),
      await run(
        'measureFile',
        {
          file: 1,
          bytes: new TextEncoder().encode(TEXT),
          model: undefined,
          policy: DEFAULT_POLICY,
        },
        CONTEXT,
      ),
    ]
    recognise.mockRestore()
    for (const outcome of outcomes) {
      if (outcome.state !== 'unreadable') throw new Error(`The outcome is ${outcome.state}.`)
      expect(outcome.problem.code).toBe('reader_failed')
      expect(describeProblem(outcome.problem)).toMatch(
        /^This program failed while it read the text\./,
      )
    }
    expect(
      await run('read', { document: 2, text: TEXT, format: undefined }, CONTEXT),
    ).toMatchObject({
      state: 'done',
    })
  })
})
