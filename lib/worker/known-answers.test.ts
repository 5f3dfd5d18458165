import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forAll } from '@/lib/core/testing/test-size'
import { createKnownAnswers, writeAnswers } from './known-answers'
import { openInput } from './testing/open-text'

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
  forAll(200, [output], (value) => {
    const outputs = { model: value, counts: value }
    const known = createKnownAnswers()
    known.learn(JSON.parse(writeAnswers({ text: 'the text', encoding: 'o200k_base', outputs })))
    const parts = known.find(openInput(1, 'the text'), 'o200k_base')
    expect(parts?.map(({ output }) => output)).toEqual([value, value])
  })
})
