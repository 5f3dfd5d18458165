import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSamePolicy, type MaskPolicy } from '../core/policy/policy'
import { exported } from '../core/share/exports/testing/export-samples'
import { inputWithoutTranscript } from '../core/testing/export-input'
import { anyPolicy, anyToolNames } from '../core/testing/policies'
import { forAll } from '../core/testing/test-size'
import { maskCommand } from './mask-command'
import { parseFlags } from './parse-flags'
import { policyFromFlags } from './policy-flags'

/** An argument as a shell passes it; it cannot contain a zero byte. */
const anyWritable: fc.Arbitrary<MaskPolicy> = fc
  .tuple(anyPolicy, anyToolNames)
  .map(([policy, excludeTools]) => ({
    ...policy,
    excludeTools,
    windowTurns: Math.max(0, policy.windowTurns),
    placeholderTemplate: policy.placeholderTemplate.toWellFormed().replaceAll('\0', ''),
  }))

test('the exported command line of a policy is read as that policy', () => {
  forAll(100, [anyWritable], (policy) => {
    const { text } = exported('command', inputWithoutTranscript(policy, "my 'run'.json"))
    const script = text.replace('npx observation-masking mask', "printf '%s\\0'")
    const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' })
    const parsed = parseFlags(stdout.split('\0').slice(0, -1), maskCommand.flags)
    expect(parsed.positionals).toEqual(["my 'run'.json"])
    const read = policyFromFlags(parsed, undefined)
    expect([text, isSamePolicy(read, policy)]).toEqual([text, true])
  })
})
