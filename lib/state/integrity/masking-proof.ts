import { proveMasking } from '@/lib/core/integrity/prove-masking'
import { maskEdits } from '@/lib/core/mask/mask-document'
import { decisionsOf, outputTextOf } from '../policy/policy-view'
import { select } from '../store'

/** The comparison of the masked text with its source; undefined until results are decided. */
export const maskingProofOf = select(
  [({ read }) => read, decisionsOf, outputTextOf],
  ({ source, model }, decisions, output) =>
    proveMasking(source.text, output, maskEdits(model.conversations, decisions)),
)
