import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { rejectsMasking } from '@/lib/core/integrity/check-history'
import { modelNameOf, modelOf } from '@/lib/state/costs/chosen-model'
import { recommendationOf } from '@/lib/state/costs/savings-advice'
import { conversationOf } from '@/lib/state/document/selectors'
import { useOpenLoopPart } from '../drawer/use-open-drawer'
import { useLateState } from '../playground-context'
import { Button } from '../ui/button'

/**
 * Warns of calls that reuse an id, and that the model rejects the conversation once it is masked, if it is or should be;
 * both lead to the checks.
 */
export function HistoryNotes() {
  const t = useTranslations('verdict')
  const openPart = useOpenLoopPart()
  const model = useLateState((state) => modelNameOf(state).name)
  const name = useLateState((state) => modelOf(state)?.name)
  const conversation = useLateState(conversationOf)
  const isMasked = useLateState(
    (state) => state.policy.enabled || recommendationOf(state)?.state === 'mask',
  )
  const reused = useLateState(
    ({ read, conversation: at }) =>
      read?.model.findings[at]?.filter(({ rule }) => rule === 'repeated_id').length ?? 0,
  )
  const tags = {
    bad: (chunks: ReactNode) => <strong className="font-semibold text-bad">{chunks}</strong>,
    a: (chunks: ReactNode) => (
      <Button kind="link" onClick={() => openPart('checks')}>
        {chunks}
      </Button>
    ),
  }
  if (conversation === undefined) return null
  return (
    <>
      {isMasked &&
        rejectsMasking(model, conversation) &&
        t.rich('rejects', { ...tags, model: name ?? model })}{' '}
      {reused > 0 && t.rich('reusedIds', { ...tags, count: reused })}
    </>
  )
}
