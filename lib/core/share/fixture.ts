/** A fixture for porting the policy: input, policy, expected output, and each result's decision. */
import { strToU8, zipSync } from 'fflate'
import type { Conversation } from '../conversation/conversation'
import { printDecisions } from '../mask/mask-document'
import type { Decision } from '../policy/decide'
import type { MaskPolicy } from '../policy/policy'
import { policyJson } from './exports/native-exports'
import { writePolicyToml } from './toml/write-policy-toml'

export interface FixtureSource {
  readonly input: string
  readonly output: string
  readonly policy: MaskPolicy
  readonly layout: 'json' | 'jsonl'
  readonly conversations: readonly Pick<Conversation, 'results'>[]
  /** By conversation and result. */
  readonly decisions: readonly (readonly Decision[])[]
}

/** Returns the files of a fixture by name, in the order of the zip. */
export function fixtureFiles(source: FixtureSource): Readonly<Record<string, string>> {
  const { input, output, policy, layout, conversations, decisions } = source
  const printed = printDecisions(conversations, decisions)
  return {
    'README.md': readme(layout),
    [`input.${layout}`]: input,
    'policy.toml': writePolicyToml(policy, true),
    'policy.json': `${JSON.stringify(policyJson(policy), null, 2)}\n`,
    [`expected.${layout}`]: output,
    'decisions.json': `${JSON.stringify(printed, null, 2)}\n`,
  }
}

/** Returns a fixture as a zip. Its date is constant, so the same content gives the same bytes. */
export function fixtureZip(source: FixtureSource): Uint8Array<ArrayBuffer> {
  const files = Object.entries(fixtureFiles(source)).map(([name, text]) => [name, strToU8(text)])
  return zipSync(Object.fromEntries(files), { level: 9, mtime: '1980-01-01T12:00:00' })
}

function readme(layout: string): string {
  return `# A fixture of observation masking

Masking \`input.${layout}\` under \`policy.toml\` (the same as \`policy.json\`) gives \`expected.${layout}\`, byte for byte:
it differs from the input in the masked strings and nowhere else.

\`decisions.json\` has one object for each tool result, in the order of the document: \`conversation\` and \`message\`
count from 0, \`turn\` from 1; \`chars_before\` and \`chars_after\` are Unicode code points of the result's text.

With the package \`observation-masking\` of this project installed, the same comes from

    npx observation-masking mask input.${layout} --config policy.toml
    npx observation-masking mask input.${layout} --config policy.toml --decisions
`
}
