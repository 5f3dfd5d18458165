/** Schema 1 observation masking with its extensions: a window of turns that moves every turn, in batches, or at break-even. */
import { DEFAULT_POLICY, type MaskPolicy, POLICY_FIELDS } from '../policy/policy'
import { policyOfModel } from '../replay/cache-rules'
import { decideRequest } from '../replay/decide-request'
import { positionsOfResults } from './history'
import type { Settings } from './mechanism'
import { defineStateless } from './mechanism-table'

export const schema1 = defineStateless(
  'schema1',
  ({ history, request }, settings) => {
    const { counted, countTokens, messages } = history
    const positions = positionsOfResults(history)
    const policy = policyOfModel(policyOf(settings), counted.conversation.model)
    const decisions = decideRequest(counted, request, policy, {
      textOf: (result) => messages[positions[result] as number]?.content ?? '',
      placeholderTokensOf: (_, placeholder) => countTokens(placeholder),
    })
    return new Map(
      decisions.flatMap(({ placeholder: content }, result) =>
        content === undefined ? [] : [[positions[result] as number, { content }]],
      ),
    )
  },
  POLICY_FIELDS.filter(({ key }) => key !== 'enabled').map((field) => ({
    key: field.toml,
    value: field.defaultValue,
    ...(field.kind === 'number' && { least: field.minimum, most: field.maximum }),
    ...(field.kind === 'choice' && { options: field.options }),
  })),
)

/** Schema 1's policy with settings by their names in TOML. */
export function policyOf(settings: Settings): MaskPolicy {
  const policy = POLICY_FIELDS.map(({ key, toml }) => [key, settings[toml] ?? DEFAULT_POLICY[key]])
  return { ...DEFAULT_POLICY, ...Object.fromEntries(policy), enabled: true }
}
