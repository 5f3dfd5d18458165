import { DEFAULT_POLICY } from '@/lib/core/policy/policy'
import { readPolicyToml } from '@/lib/core/share/toml/policy-toml'
import type { Phrase } from '@/lib/core/words/words'
import { reasonValues } from '../notices'
import type { Playground } from '../playground'

export type AppliedConfig =
  | { readonly state: 'applied'; readonly problems: readonly Phrase[] }
  | { readonly state: 'failed'; readonly reason: Phrase }

/** Applies the policy of a config file as the proxy would, and remembers the file so that exports can write into it. */
export function applyConfig(
  { store, actions }: Playground,
  name: string,
  text: string,
): AppliedConfig {
  const read = readPolicyToml(text, DEFAULT_POLICY)
  if (read.state === 'failed') return read
  actions.changePolicy(read.policy)
  actions.endGesture()
  store.setState({ config: { name, text } })
  return { state: 'applied', problems: read.problems }
}

/** Applies the policy of an opened config file and notifies the user of the outcome. */
export function openConfig(playground: Playground, name: string, text: string): void {
  const { notify } = playground.actions
  const outcome = applyConfig(playground, name, text)
  if (outcome.state === 'failed')
    notify('config_failed', { name, reasons: [outcome.reason] }, 'error')
  else if (outcome.problems.length === 0) notify('config_applied', { name })
  else {
    notify('config_problems', { name, ...reasonValues(outcome.problems) }, 'error')
  }
}
