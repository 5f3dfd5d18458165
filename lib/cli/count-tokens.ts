import type { MaskPolicy } from '../core/policy/policy'
import type { EncodingId } from '../core/tokens/encoding'
import { DEFAULT_MODEL_FAMILY, familyOfModel, MODEL_FAMILIES } from '../core/tokens/models'
import type { Flag, ParsedFlags } from './parse-flags'
import { UsageError } from './usage-error'

export const MODEL_FLAG: Flag = {
  name: 'model',
  kind: 'value',
  shown: 'NAME',
  help: `whose tokens are counted, and whose prices where costs are asked for; otherwise ${DEFAULT_MODEL_FAMILY.label}`,
}

/** The encoding of `--model`, else of the family the page opens with: both give the same output. */
export function chooseEncoding(flags: ParsedFlags): EncodingId {
  const encoding = knownEncoding(flags)
  if (encoding !== undefined) return encoding
  const known = MODEL_FAMILIES.map(({ id }) => id).join(', ')
  const named = flags.values.get(MODEL_FLAG.name)
  throw new UsageError(`--model is "${named}"; expected a model of the families ${known}.`)
}

/** The same; undefined for a model of no known family. */
export function knownEncoding({ values }: ParsedFlags): EncodingId | undefined {
  const named = values.get(MODEL_FLAG.name)
  if (typeof named !== 'string') return DEFAULT_MODEL_FAMILY.encoding
  const family = MODEL_FAMILIES.find(({ id }) => id === named) ?? familyOfModel(named)
  return family?.encoding
}

/** Whether a policy can only be carried out with token counts. */
export function needsTokens(policy: MaskPolicy): boolean {
  return (
    policy.neverGrow ||
    policy.triggerTokens > 0 ||
    policy.placeholderTemplate.includes('{original_tokens}')
  )
}
