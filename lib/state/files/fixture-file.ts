import { fixtureZip } from '@/lib/core/share/fixture'
import { currentOutputOf } from '../document/output-view'
import { decisionsOf } from '../policy/policy-view'
import type { PlaygroundState } from '../store'

/** The open document as a test fixture; undefined until the current text is read and decided. */
export function fixtureOf(state: PlaygroundState): Uint8Array<ArrayBuffer> | undefined {
  const { read, policy } = state
  const output = currentOutputOf(state)
  const decisions = decisionsOf(state)
  if (read === undefined || output === undefined || decisions === undefined) return undefined
  const { layout, conversations } = read.model
  return fixtureZip({ input: read.source.text, output, policy, layout, conversations, decisions })
}
