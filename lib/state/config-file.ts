import { DEFAULT_POLICY } from '@/lib/core/policy/policy'
import { readPolicyToml } from '@/lib/core/share/policy-toml'
import type { Playground } from './playground'

export type TakenConfig =
  | { readonly state: 'taken'; readonly problems: readonly string[] }
  | { readonly state: 'failed'; readonly reason: string }

/** Takes the policy of a whole config, as the proxy would, and keeps the file to be written back into. */
export function takeConfig(
  { store, actions }: Playground,
  name: string,
  text: string,
): TakenConfig {
  const read = readPolicyToml(text, DEFAULT_POLICY)
  if (read.state === 'failed') return read
  actions.changePolicy(read.policy)
  actions.endGesture()
  store.setState({ config: { name, text } })
  return { state: 'taken', problems: read.problems }
}
