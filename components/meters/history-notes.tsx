import type { ReactNode } from 'react'
import { bindsThinking } from '@/lib/core/conversation/reasoning-marks'
import { hasResultBeforeThinking } from '@/lib/core/integrity/check-history'
import { modelNameOf, modelOf } from '@/lib/state/costs/chosen-model'
import { recommendationOf } from '@/lib/state/costs/session-advice'
import { conversationOf } from '@/lib/state/document/selectors'
import { keptBeforeThinkingOf } from '@/lib/state/integrity/history-findings'
import { nothingMaskedOf } from '@/lib/state/policy/nothing-masked'
import { useDeferredState, useView } from '../playground-context'
import { linkToTool } from '../shell/page-link'

/**
 * Warns that the model rejects the conversation once it is masked, if it is or should be; leads to the check. Beside the
 * verdict, only the model in use counts; a dialog has no link to the check behind it.
 */
export function RejectedMasking({ place }: { readonly place: 'verdict' | 'details' | 'dialog' }) {
  const { t } = useView('verdict')
  const model = useDeferredState((state) => modelNameOf(state).name)
  const name = useDeferredState((state) => modelOf(state)?.name)
  const conversation = useDeferredState(conversationOf)
  const isMasked = useDeferredState(
    (state) => state.policy.enabled || recommendationOf(state)?.state === 'mask',
  )
  const kept = useDeferredState(keptBeforeThinkingOf) ?? 0
  if (conversation === undefined || !isMasked || !hasResultBeforeThinking(conversation)) return null
  const a = place === 'dialog' ? (chunks: ReactNode) => chunks : linkToTool('checks')
  if (kept > 0) return t.rich('keepsSigned', { count: kept, a })
  const isRejecting = bindsThinking(model)
  if (!isRejecting && place === 'verdict') return null
  return t.rich(isRejecting ? 'rejects' : 'othersReject', {
    model: name ?? model,
    bad: (chunks) => <strong className="font-semibold text-bad">{chunks}</strong>,
    a,
  })
}

/** What the user has to know of the history before masking it, above the texts. */
export function HistoryNotes() {
  const isNothingMasked = useDeferredState((state) => nothingMaskedOf(state) !== undefined)
  return (
    <p className="border-warn/30 border-y bg-warn-tint px-6 py-1.5 text-sm empty:hidden max-sm:px-4">
      {/* Where nothing is masked, the reasons stand below. */}
      {!isNothingMasked && <RejectedMasking place="verdict" />}
      <ReusedIds />
    </p>
  )
}

/** Says that calls reuse ids, so that results belong to later calls; leads to the check. */
function ReusedIds() {
  const { t } = useView('verdict')
  const count = useDeferredState(
    ({ read, conversation }) =>
      read?.model.findings[conversation]?.filter(({ rule }) => rule === 'repeated_id').length ?? 0,
  )
  if (count === 0) return null
  return t.rich('reusedIds', { count, a: linkToTool('checks') })
}
