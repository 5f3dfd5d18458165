import { readFileSync } from 'node:fs'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import { maskDocument } from '../mask/mask-document'
import { DEFAULT_POLICY, isSamePolicy } from '../policy/policy'
import { fixtureZip } from './fixture'
import { readPolicyToml } from './toml/read-policy-toml'

const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 3, batchTurns: 2 }

function fixtureOf(name: string) {
  const input = readFileSync(new URL(`../../../public/samples/${name}`, import.meta.url), 'utf8')
  const { conversations, source } = readDocument(input)
  const { text: output, decisions } = maskDocument({ text: input, conversations }, policy)
  return { input, output, policy, layout: source.layout, conversations, decisions }
}

describe.each(['coding-session.json', 'many-runs.jsonl'])('a fixture of %s', (name) => {
  const fixture = fixtureOf(name)
  const files = Object.fromEntries(
    Object.entries(unzipSync(fixtureZip(fixture))).map(([file, bytes]) => [file, strFromU8(bytes)]),
  )

  test('contains input, policy, expected output and decisions', () => {
    const { layout } = fixture
    expect(Object.keys(files).join(' ')).toBe(
      `README.md input.${layout} policy.toml policy.json expected.${layout} decisions.json`,
    )
    expect(files[`input.${layout}`]).toBe(fixture.input)
    expect(files[`expected.${layout}`]).toBe(fixture.output)
  })

  test('is enough to test another implementation', () => {
    const read = readPolicyToml(files['policy.toml'] as string)
    expect(read.state === 'read' && isSamePolicy(read.policy, policy)).toBe(true)
    const written = { window_turns: 3, extensions: { batch_turns: 2 } }
    expect(JSON.parse(files['policy.json'] as string)).toMatchObject(written)
    const reasons = fixture.decisions.flat().map(({ reason }) => ({ reason }))
    expect(JSON.parse(files['decisions.json'] as string)).toMatchObject(reasons)
  })

  test('has the same bytes each time', () => {
    expect(fixtureZip(fixture)).toEqual(fixtureZip(fixtureOf(name)))
  })
})
