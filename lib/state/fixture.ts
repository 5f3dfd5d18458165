import { fixtureZip } from '@/lib/core/share/fixture'
import { decisionsOf, outputTextOf } from './selectors'
import type { PlaygroundState } from './store'

/** The document shown as a fixture; undefined until it is read and decided on. */
export function fixtureOf(state: PlaygroundState): Uint8Array<ArrayBuffer> | undefined {
  const { read, policy } = state
  const output = outputTextOf(state)
  const decisions = decisionsOf(state)
  if (read === undefined || output === undefined || decisions === undefined) return undefined
  const { layout, conversations } = read.model
  return fixtureZip({ input: read.source.text, output, policy, layout, conversations, decisions })
}
