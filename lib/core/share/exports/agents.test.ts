import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../policy/policy'
import { readPolicyToml } from '../toml/read-policy-toml'
import { AGENTS, LIBRARIES, proxySetup, stepsOf } from './agents'

const POLICY = {
  ...DEFAULT_POLICY,
  enabled: true,
  windowTurns: 5,
  placeholderTemplate: `it's\nEND_OF_POLICY\n$HOME`,
}

test.each([...AGENTS, ...LIBRARIES])('$name: the block writes the policy', (client) => {
  const block = proxySetup(client, POLICY, 'https://host/observation-masking.tgz')
  const [, toml = '', rest] = /<< 'END_OF_POLICY'\n(.*?\n)END_OF_POLICY\n(.*)$/s.exec(block) ?? []
  const more = 'policy' in client ? client.policy : {}
  expect(readPolicyToml(toml)).toMatchObject({ state: 'read', policy: { ...POLICY, ...more } })
  expect(rest).toBe(`npx observation-masking-proxy --target ${client.target} --config policy.toml`)
  expect(stepsOf(client).at(-1)?.kind).toBe('code' in client ? 'code' : 'run')
})
