import fc from 'fast-check'
import { ALL_ERROR_RULES } from '../conversation/conversation'
import {
  DEFAULT_PLACEHOLDER,
  type FlagField,
  type MaskPolicy,
  POLICY_FIELDS,
} from '../policy/policy'
import { anyUnicode } from './any-unicode'
import { anyText } from './chat-messages'

export const anyTemplate: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    DEFAULT_PLACEHOLDER,
    ...['', '[masked {tool_call_id}]', '{original_chars}', '{original_chars}{original_tokens}'],
    ...['{tool_name} {tool_arguments} {unknown} {', '[{tool_name}: {first_line}]'],
    ...['{first_line}', '{original_chars}{first_line}5{first_line}'],
    '$& {{tool_call_id}} \\ ^.*+?()[]|',
    '{tool_call_id}{tool_call_id}\n"\u2028',
  ),
  anyText,
)

const OWN = {
  enabled: fc.constant(true),
  windowTurns: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 8 })),
  keepLastKPerTool: fc.constantFrom(0, 0, 0, 1, 2),
  placeholderTemplate: anyTemplate,
  batchTurns: fc.constantFrom(1, 1, 2, 3, 'auto' as const),
  cacheReadRatio: fc.constantFrom('auto' as const, 0, 0.5),
  cacheWriteRatio: fc.constantFrom('auto' as const, 1),
  beforeSignedThinking: fc.constantFrom('keep' as const, 'mask' as const),
  excludeTools: fc.subarray(['read', 'constructor', 'absent']),
  triggerTokens: fc.constantFrom(0, 0, 0, 40),
  errorRules: fc.subarray([...ALL_ERROR_RULES]),
  errorPatterns: fc.subarray(['e', 'not found', '{']),
}
type Flags = Readonly<Record<FlagField['key'], fc.Arbitrary<boolean>>>
const FLAGS = POLICY_FIELDS.filter(({ kind }) => kind === 'flag').map(({ key }) => key)

/** Any policy that masks: enabled, with a window. */
export const anyActivePolicy: fc.Arbitrary<MaskPolicy> = fc.record({
  ...(Object.fromEntries(FLAGS.map((key) => [key, fc.boolean()])) as Flags),
  ...OWN,
})

/** Different names of tools: any strings but the empty one, often with commas, escapes and lone surrogates. */
export const anyToolNames: fc.Arbitrary<string[]> = fc.uniqueArray(
  fc
    .array(
      fc.oneof(
        fc.constantFrom('\\u{d800}', 'u{', '5c}', ...', \\\ud800%\udc00+"\0'),
        anyUnicode({ maxLength: 3 }),
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts) => parts.join(''))
    .filter((name) => name !== ''),
  { maxLength: 4 },
)

/** Any policy, including disabled ones. */
export const anyPolicy: fc.Arbitrary<MaskPolicy> = fc
  .tuple(anyActivePolicy, fc.boolean(), fc.integer({ min: -1, max: 8 }))
  .map(([policy, enabled, windowTurns]) => ({ ...policy, enabled, windowTurns }))

/** Replaces an encoding in tests; two texts joined can have fewer tokens than the two apart. */
export function countQuarters(text: string): number {
  return Math.ceil(text.length / 4)
}
