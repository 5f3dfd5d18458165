import type { Conversation } from '../core/conversation/conversation'
import type { MaskPolicy } from '../core/policy/policy'
import type { EncodingId } from '../core/tokens/encoding'
import { DEFAULT_MODEL_FAMILY, familyOfModel, MODEL_FAMILIES } from '../core/tokens/models'
import type { Flag, ParsedFlags } from './parse-flags'
import { UsageError } from './usage-error'

export const MODEL_FLAG: Flag = {
  name: 'model',
  kind: 'value',
  shown: 'NAME',
  help: 'whose tokens are counted; else the model the document names, else o200k_base',
}

/** The encoding of `--model`, else of the first known model the document names, else the default. */
export function chooseEncoding(
  { values }: ParsedFlags,
  conversations: readonly Pick<Conversation, 'model'>[],
): EncodingId {
  const named = values.get(MODEL_FLAG.name)
  if (typeof named !== 'string') {
    const families = conversations.map(({ model }) => familyOfModel(model))
    const family = families.find((known) => known !== undefined) ?? DEFAULT_MODEL_FAMILY
    return family.encoding
  }
  const family = MODEL_FAMILIES.find(({ id }) => id === named) ?? familyOfModel(named)
  if (family === undefined) {
    const known = MODEL_FAMILIES.map(({ id }) => id).join(', ')
    throw new UsageError(`--model is "${named}"; expected a model of the families ${known}.`)
  }
  return family.encoding
}

/** Whether a policy can only be carried out with token counts. */
export function needsTokens(policy: MaskPolicy): boolean {
  return (
    policy.neverGrow ||
    policy.triggerTokens > 0 ||
    policy.placeholderTemplate.includes('{original_tokens}')
  )
}
