import fc from 'fast-check'
import { ERROR_RULES } from '../conversation/conversation'
import { DEFAULT_PLACEHOLDER, type MaskPolicy } from '../policy/policy'
import { anyText } from './chat-messages'

export const anyTemplate: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    DEFAULT_PLACEHOLDER,
    '',
    '[masked {tool_call_id}]',
    '{original_chars}',
    '{original_chars}{original_tokens}',
    '{tool_name} {tool_arguments} {unknown} {',
    '$& {{tool_call_id}} \\ ^.*+?()[]|',
    '{tool_call_id}{tool_call_id}\n"\u2028',
  ),
  anyText,
)

/** Any policy that does something: enabled, with a window. */
export const anyActivePolicy: fc.Arbitrary<MaskPolicy> = fc.record({
  enabled: fc.constant(true),
  windowTurns: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 8 })),
  keepErrors: fc.boolean(),
  keepLastKPerTool: fc.constantFrom(0, 0, 0, 1, 2),
  placeholderTemplate: anyTemplate,
  batchTurns: fc.constantFrom(1, 1, 2, 3),
  textParts: fc.boolean(),
  excludeTools: fc.subarray(['read', 'constructor', 'absent']),
  neverGrow: fc.boolean(),
  triggerTokens: fc.constantFrom(0, 0, 0, 40),
  errorRules: fc.subarray([...ERROR_RULES]),
})

/** Any policy, those that are off included. */
export const anyPolicy: fc.Arbitrary<MaskPolicy> = fc
  .tuple(anyActivePolicy, fc.boolean(), fc.integer({ min: -1, max: 8 }))
  .map(([policy, enabled, windowTurns]) => ({ ...policy, enabled, windowTurns }))

/** A stand-in for an encoding: two texts joined are fewer tokens than the two apart. */
export function countQuarters(text: string): number {
  return Math.ceil(text.length / 4)
}
