import { DEFAULT_POLICY } from '@/lib/core/policy/policy'
import { readPolicyToml } from '@/lib/core/share/policy-toml'
import { firstReasons } from './first-reasons'
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

/** A name that says that its text is a config, not a transcript. */
export function isConfigName(name: string): boolean {
  return /\.toml$/i.test(name)
}

/** Takes the policy of a config opened like any file, and says what became of it. */
export function openConfig(playground: Playground, name: string, text: string): void {
  const { notify } = playground.actions
  const taken = takeConfig(playground, name, text)
  if (taken.state === 'failed') notify('config_failed', { name, reason: taken.reason }, 'error')
  else if (taken.problems.length === 0) notify('config_taken', { name })
  else {
    notify('config_problems', { name, ...firstReasons(taken.problems) }, 'error')
  }
}
