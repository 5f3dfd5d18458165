import fc from 'fast-check'
import type { MaskPolicy } from '../../../policy/policy'
import { anyText } from '../../../testing/chat-messages'
import { anyPolicy, anyToolNames } from '../../../testing/policies'

/** Any policy that TOML can have: no negative window, no lone surrogate in the placeholder. */
export const anyWritable: fc.Arbitrary<MaskPolicy> = fc
  .tuple(anyPolicy, anyText, fc.oneof(anyToolNames, fc.array(anyText)))
  .map(([policy, placeholderTemplate, excludeTools]) => ({
    ...policy,
    windowTurns: Math.max(0, policy.windowTurns),
    placeholderTemplate: placeholderTemplate.toWellFormed(),
    excludeTools: [...new Set(excludeTools)].filter((name) => name !== ''),
  }))

/** A config with these lines in the table of the policy. */
export const schema1 = (lines: string) => `[observation_masking.schema1]\n${lines}\n`
