import { expect, test } from 'vitest'
import { expectLinear } from '../testing/expect-linear'
import { testSize } from '../testing/test-size'
import { repairArguments } from './repair-arguments'

/** An eighth of the length that finds time that grows with the square. */
const EIGHTH = testSize(3_000, 125_000)
/** Five microseconds for each character. */
const MOST_MILLISECONDS = Math.max(200, (5 * 8 * EIGHTH) / 1000)

test.each([
  ...['[', '{', '"', ',', "'", ']', '}', ':', '(', '[]', '{}', '""', '[{', '][', '{,', '",'],
  ...['\\', '\\"', '\\n', '{"a":', '["a,', '"a" ', '"a":1', 'x"y":', '{"a":1}', '[""]a{', '{"a"'],
  ...['/*', '...', '```', '<a>', 'a: ', '1 ', '1,000', '()', ';', '，', '+', '/a', 'f(1,'],
  ...['x[', 'f(x)+', '1 + ', '// "a":', '- ', '{1,2}', '# }', 'lambda ', '1,2}', '[1, "a": '],
])('%s repeated ends in time that grows with the length', async (piece) => {
  for (const start of ['', '{"a": "']) {
    const milliseconds = await expectLinear(
      (factor) => `${start}${piece.repeat(Math.ceil((EIGHTH * factor) / piece.length))}`,
      (text) => repairArguments(text),
    )
    expect(milliseconds).toBeLessThan(MOST_MILLISECONDS)
  }
})
