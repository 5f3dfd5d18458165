import { expect, test } from 'vitest'
import { expectLinear } from '../../testing/expect-linear'
import { readPolicyToml } from './policy-toml'
import { schema1 } from './testing/writable-policies'

test('reports thousands of unknown keys in time that grows with their number', async () => {
  await expectLinear(
    (factor) => {
      const keys = 2_000 * factor
      const lines = Array.from({ length: keys }, (_, at) => `key_${at} = ${at}`)
      return { keys, text: schema1(lines.join('\n')) }
    },
    ({ keys, text }) => {
      const read = readPolicyToml(text)
      expect(read.state === 'read' && read.problems.length).toBe(keys)
    },
  )
})
