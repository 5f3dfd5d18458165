import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSamePolicy, type MaskPolicy } from '../core/policy/policy'
import { exported, ON } from '../core/share/exports/testing/export-samples'
import { anyText } from '../core/testing/chat-messages'
import { inputWithoutTranscript } from '../core/testing/export-input'
import { anyPolicy, anyToolNames } from '../core/testing/policies'
import { forAll } from '../core/testing/test-size'
import { parseFlags } from './flags'
import { maskCommand } from './mask-command'
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

test('a shell reads the exported command line of a policy as that policy, and any file name', () => {
  const anyName = anyText.map((name) => name.toWellFormed().replaceAll('\0', ''))
  const check = (policy: MaskPolicy, name: string) => {
    const { text } = exported('command', inputWithoutTranscript(policy, name))
    // A terminal acts on those that are pasted.
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
    const script = text.replace('npx observation-masking mask', "printf '%s\\0'")
    const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' })
    const parsed = parseFlags(stdout.split('\0').slice(0, -1), maskCommand.flags)
    expect(parsed.positionals).toEqual([name.startsWith('-') ? `./${name}` : name])
    const read = policyFromFlags(parsed, undefined)
    expect([text, isSamePolicy(read, policy)]).toEqual([text, true])
  }
  const names = ['-x.json', "my 'run'.json", 'a\u001b[2K\r\u0003\u009b.json']
  const examples = names.map((name): [MaskPolicy, string] => [ON, name])
  forAll(100, [anyWritable, anyName], check, { examples })
})
