import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzz } from '../testing/test-size'
import { countCodePoints } from './count-code-points'

test('counts as an iteration over the text does, lone surrogates included', () => {
  const anyUnits = fc
    .array(fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00'))
    .map((units) => units.join(''))
  fc.assert(
    fc.property(anyUnits, (text) => {
      expect(countCodePoints(text)).toBe([...text].length)
    }),
    { ...fuzz(500), examples: [['😀\ud83dx😀']] },
  )
})
