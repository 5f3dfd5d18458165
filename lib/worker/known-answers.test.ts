import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzz } from '@/lib/core/testing/test-size'
import { createKnownAnswers, keyOfJob, writeAnswers } from './known-answers'

const READ = { document: 1, text: 'the text' }

// JSON has no -0, which equals 0: adding 0 leaves it out.
test('an output is the same after it was written and read, whatever its numbers and arrays', () => {
  const number = fc.oneof(
    fc.double().map((value) => value + 0),
    fc.integer(),
  )
  const { output } = fc.letrec((tie) => ({
    output: fc.oneof(
      { maxDepth: 4 },
      number,
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.float64Array({ maxLength: 5 }).map((floats) => floats.map((value) => value + 0)),
      fc.array(tie('output'), { maxLength: 4 }),
      fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie('output'), { maxKeys: 4 }),
    ),
  }))
  fc.assert(
    fc.property(output, (value) => {
      const key = keyOfJob({ name: 'read', input: READ })
      const answers = {
        text: READ.text,
        encoding: 'o200k_base' as const,
        outputs: { [key]: value },
      }
      const known = createKnownAnswers()
      known.learn(JSON.parse(writeAnswers(answers)))
      expect(known.find({ id: 1, name: 'read', input: READ }, 'o200k_base')).toEqual(value)
    }),
    fuzz(200),
  )
})
