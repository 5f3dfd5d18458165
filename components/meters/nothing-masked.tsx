import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { bindsThinking, hasResultBeforeThinking } from '@/lib/core/integrity/check-history'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { modelNameOf, modelOf } from '@/lib/state/costs/chosen-model'
import { recommendationOf } from '@/lib/state/costs/session-advice'
import { sessionsOf } from '@/lib/state/costs/shown-session'
import { conversationOf } from '@/lib/state/document/selectors'
import { type NothingLine, nothingMaskedOf } from '@/lib/state/policy/nothing-masked'
import { requestTokensOf } from '@/lib/state/policy/policy-facts'
import { useOpenLoopPart } from '../drawer/use-open-drawer'
import { useDeferredState, useFileList, usePlayground } from '../playground-context'
import { Button } from '../ui/button'
import { useFigureFormat } from '../use-figure-format'

/** Number of reasons shown. */
const MOST_LINES = 3

/** Explains why nothing is masked and offers one change that helps. Renders nothing if a result is masked. */
export function NothingMasked() {
  const t = useTranslations('meters.nothing')
  const format = useFigureFormat()
  const { actions } = usePlayground()
  const nothing = useDeferredState(nothingMaskedOf)
  const policy = useDeferredState((state) => state.policy)
  const tokens = useDeferredState(requestTokensOf)
  if (nothing === undefined) return null
  const { lines, best, turns } = nothing
  const offered = best ?? lines.find(({ change }) => change !== undefined)

  return (
    <section
      aria-label={t('label')}
      className="flex flex-wrap items-center gap-x-4 gap-y-1.5 border-warn/30 border-y bg-warn-tint px-6 py-2"
    >
      <p className="min-w-0 flex-1 basis-80">
        <strong className="mr-1.5 font-semibold">{t('title')}.</strong>
        {lines.slice(0, MOST_LINES).map(sentence).join(' ')}
      </p>
      {offered?.change !== undefined && (
        <span className="flex items-center gap-2">
          {offered.masks > 0 && (
            <span className="text-soft text-sm">{t('masks', { n: offered.masks })}</span>
          )}
          <Button size="small" onClick={() => actions.changePolicy(offered.change ?? {})}>
            {offer(offered, offered.change)}
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
      batch: policy.batchTurns,
      k: policy.keepLastKPerTool,
      trigger: policy.triggerTokens,
      tokens: format.number(tokens),
    })
  }

  function offer({ reason }: NothingLine, change: Partial<MaskPolicy>): string {
    switch (reason) {
      case 'no_results':
      case 'no_call_id':
      case 'orphan':
      case 'non_text':
      case 'already_masked':
        return ''
      default:
        return t(`changes.${reason}`, {
          window: change.windowTurns ?? 0,
          batch: change.batchTurns ?? 0,
        })
    }
  }
}

interface RejectedMaskingProps {
  /** Beside the verdict, only the model in use counts; a dialog has no link to the check behind it. */
  readonly place: 'verdict' | 'details' | 'dialog'
}

/** Warns that the model rejects the conversation once it is masked, if it is or should be; leads to the check. */
export function RejectedMasking({ place }: RejectedMaskingProps) {
  const t = useTranslations('verdict')
  const model = useDeferredState((state) => modelNameOf(state).name)
  const name = useDeferredState((state) => modelOf(state)?.name)
  const conversation = useDeferredState(conversationOf)
  const isMasked = useDeferredState(
    (state) => state.policy.enabled || recommendationOf(state)?.state === 'mask',
  )
  if (conversation === undefined || !isMasked || !hasResultBeforeThinking(conversation)) return null
  const isRejecting = bindsThinking(model)
  if (!isRejecting && place === 'verdict') return null
  return t.rich(isRejecting ? 'rejects' : 'othersReject', {
    model: name ?? model,
    bad: (chunks) => <strong className="font-semibold text-bad">{chunks}</strong>,
    a: (chunks) => (place === 'dialog' ? chunks : <ChecksLink>{chunks}</ChecksLink>),
  })
}

/** Says that calls reuse ids, so that results belong to later calls; leads to the check. */
export function ReusedIds() {
  const t = useTranslations('verdict')
  const count = useDeferredState(
    ({ read, conversation }) =>
      read?.model.findings[conversation]?.filter(({ rule }) => rule === 'repeated_id').length ?? 0,
  )
  if (count === 0) return null
  return t.rich('reusedIds', { count, a: (chunks) => <ChecksLink>{chunks}</ChecksLink> })
}

/** Compares this session with the others of its file. */
export function CompareAll() {
  const t = useTranslations('verdict')
  const { actions } = useFileList()
  const count = useDeferredState((state) => sessionsOf(state)?.length ?? 0)
  if (count < 2) return null
  return (
    <Button kind="link" onClick={() => void actions.listDocument()}>
      {t('compareAll', { count })}
    </Button>
  )
}

function ChecksLink({ children }: { readonly children: ReactNode }) {
  const openPart = useOpenLoopPart()
  return (
    <Button kind="link" onClick={() => openPart('checks')}>
      {children}
    </Button>
  )
}
