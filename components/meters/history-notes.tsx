import type { ReactNode } from 'react'
import { bindsThinking } from '@/lib/core/conversation/reasoning-marks'
import { hasResultBeforeThinking } from '@/lib/core/integrity/check-history'
import { batchNumber } from '@/lib/core/policy/policy'
import { modelNameOf, modelOf } from '@/lib/state/costs/chosen-model'
import { recommendationOf } from '@/lib/state/costs/session-advice'
import { isTrying } from '@/lib/state/costs/tried-mechanism'
import { conversationOf } from '@/lib/state/document/selectors'
import { keptBeforeThinkingOf } from '@/lib/state/integrity/history-findings'
import { type NothingLine, nothingMaskedOf } from '@/lib/state/policy/nothing-masked'
import { requestTokensOf } from '@/lib/state/policy/policy-facts'
import { measureOf } from '@/lib/state/policy/policy-view'
import { isSettling } from '@/lib/state/policy/session-policy'
import { useDeferredState, useView } from '../playground-context'
import { linkToTool } from '../shell/page-link'
import { Button } from '../ui/button'

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
  const { t } = useView('verdict')
  const isNothingMasked = useDeferredState((state) => nothingMaskedOf(state) !== undefined)
  // Calls that reuse ids, so that results belong to later calls.
  const count = useDeferredState(
    ({ read, conversation }) =>
      read?.model.findings[conversation]?.filter(({ rule }) => rule === 'repeated_id').length ?? 0,
  )
  return (
    <p className="border-warn/30 border-y bg-warn-tint px-6 py-1.5 text-sm empty:hidden max-sm:px-4">
      {/* Where nothing is masked, the reasons stand below. */}
      {!isNothingMasked && <RejectedMasking place="verdict" />}
      {count > 0 && t.rich('reusedIds', { count, a: linkToTool('checks') })}
    </p>
  )
}

/** Number of reasons shown. */
const MOST_LINES = 3

/** Explains why nothing is masked and offers one change that helps. Renders nothing if a result is masked. */
export function NothingMasked() {
  const { t, format, actions } = useView('meters.nothing')
  const nothing = useDeferredState(nothingMaskedOf)
  const policy = useDeferredState((state) => state.policy)
  const tokens = useDeferredState(requestTokensOf)
  // Where masking is best left off, the verdict says why, and what a mechanism does instead of the policy.
  const isInVerdict = useDeferredState(
    (state) =>
      isTrying(state) ||
      (!state.policy.enabled && recommendationOf(state)?.state === 'do_not_mask'),
  )
  const shown = useDeferredState((state) => measureOf(state)?.tokens.before)
  if (useDeferredState(isSettling) || nothing === undefined || isInVerdict) return null
  const { lines, best, turns } = nothing
  const offered = best ?? lines.find(({ change }) => change !== undefined)
  const offer = `changes.${offered?.reason as 'in_window'}` as const

  return (
    <section
      aria-label={t('label')}
      className="flex flex-wrap content-between items-center gap-x-4 gap-y-1.5 border-warn/30 border-y bg-warn-tint px-6 py-2 max-sm:min-h-44 sm:max-xl:min-h-24 sm:max-xl:[&:lang(fr)]:min-h-29"
    >
      <p className="min-h-[2lh] min-w-0 flex-1 basis-80 max-xl:min-h-0 max-xl:basis-full">
        <strong className="mr-1.5 font-semibold">{t('title')}.</strong>
        {lines.slice(0, MOST_LINES).map(sentence).join(' ')}
      </p>
      {offered?.change !== undefined && (
        <span className="flex items-center gap-x-2 gap-y-1 max-sm:min-h-13 max-sm:flex-wrap max-sm:content-end">
          {offered.masks > 0 && (
            <span className="text-soft text-sm max-sm:w-full">
              {t('masks', { n: offered.masks })}
            </span>
          )}
          <Button size="small" onClick={() => actions.allowMasking(offered.change ?? {})}>
            {t.has(offer) &&
              t(offer, {
                window: offered.change.windowTurns ?? 0,
                batch: offered.change.batchTurns === undefined ? 0 : 1,
              })}
          </Button>
        </span>
      )}
    </section>
  )

  function sentence({ reason, results }: NothingLine): string {
    return t(`lines.${reason}`, {
      n: results,
      turns,
      isAll: turns <= policy.windowTurns ? 'yes' : 'no',
      window: policy.windowTurns,
      batch: batchNumber(policy),
      k: policy.keepLastKPerTool,
      trigger: policy.triggerTokens,
      tokens: format.number(tokens),
      shown: shown === tokens ? 'same' : format.number(shown),
    })
  }
}
