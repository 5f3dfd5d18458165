import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { bindsThinking } from '@/lib/core/conversation/reasoning-marks'
import { hasResultBeforeThinking } from '@/lib/core/integrity/check-history'
import { modelNameOf, modelOf } from '@/lib/state/costs/chosen-model'
import { recommendationOf } from '@/lib/state/costs/session-advice'
import { sessionsOf } from '@/lib/state/costs/shown-session'
import { conversationOf } from '@/lib/state/document/selectors'
import { keptBeforeThinkingOf } from '@/lib/state/integrity/history-findings'
import { useOpenLoopPart } from '../drawer/use-open-drawer'
import { useDeferredState, useFileList } from '../playground-context'
import { linkTo } from '../ui/button'

/**
 * Warns that the model rejects the conversation once it is masked, if it is or should be; leads to the check. Beside the
 * verdict, only the model in use counts; a dialog has no link to the check behind it.
 */
export function RejectedMasking({ place }: { readonly place: 'verdict' | 'details' | 'dialog' }) {
  const t = useTranslations('verdict')
  const openPart = useOpenLoopPart()
  const model = useDeferredState((state) => modelNameOf(state).name)
  const name = useDeferredState((state) => modelOf(state)?.name)
  const conversation = useDeferredState(conversationOf)
  const isMasked = useDeferredState(
    (state) => state.policy.enabled || recommendationOf(state)?.state === 'mask',
  )
  const kept = useDeferredState(keptBeforeThinkingOf) ?? 0
  if (conversation === undefined || !isMasked || !hasResultBeforeThinking(conversation)) return null
  const a = (chunks: ReactNode) =>
    place === 'dialog' ? chunks : linkTo(() => openPart('checks'))(chunks)
  if (kept > 0) return t.rich('keepsSigned', { count: kept, a })
  const isRejecting = bindsThinking(model)
  if (!isRejecting && place === 'verdict') return null
  return t.rich(isRejecting ? 'rejects' : 'othersReject', {
    model: name ?? model,
    bad: (chunks) => <strong className="font-semibold text-bad">{chunks}</strong>,
    a,
  })
}

/** Says that calls reuse ids, so that results belong to later calls; leads to the check. */
export function ReusedIds() {
  const t = useTranslations('verdict')
  const openPart = useOpenLoopPart()
  const count = useDeferredState(
    ({ read, conversation }) =>
      read?.model.findings[conversation]?.filter(({ rule }) => rule === 'repeated_id').length ?? 0,
  )
  if (count === 0) return null
  return t.rich('reusedIds', { count, a: linkTo(() => openPart('checks')) })
}

/** Compares this session with the others of its file. */
export function CompareAll() {
  const t = useTranslations('verdict')
  const { actions } = useFileList()
  const count = useDeferredState((state) => sessionsOf(state)?.length ?? 0)
  if (count < 2) return null
  return linkTo(() => void actions.listDocument())(t('compareAll', { count }))
}
