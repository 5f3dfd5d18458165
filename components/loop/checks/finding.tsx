'use client'

import { Fragment } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { bindsThinking, type HistoryRule } from '@/lib/core/integrity/check-history'
import { REJECTIONS, undocumentedFor } from '@/lib/core/integrity/rejections'
import { modelNameOf, modelOf } from '@/lib/state/costs/chosen-model'
import { conversationOf } from '@/lib/state/document/selectors'
import type { FindingGroup } from '@/lib/state/integrity/history-findings'
import { stepResult } from '@/lib/state/timeline/step-message'
import { useJump } from '../../drawer/use-jump'
import { useOpenLoopPart } from '../../drawer/use-open-drawer'
import { usePlayground, usePlaygroundState } from '../../playground-context'
import { Button } from '../../ui/button'
import { TurnLink } from '../repeated-calls/turn-link'

/** Places listed by name; the button leads to the others. */
const MOST_PLACES = 4

const HINTED = ['missing_reasoning', 'missing_signature', 'edited_before_thinking'] as const

/** What was found, where, and which providers reject it. */
export function Finding({ group: { rule, places } }: { readonly group: FindingGroup }) {
  const t = useTranslations('integrity')
  const { store } = usePlayground()
  const jump = useJump()
  const openPart = useOpenLoopPart()
  const messages = usePlaygroundState(conversationOf)?.messages ?? []
  const sentence = t(`rules.${rule}`, { count: places.length })
  const step = () => {
    const at = stepResult(
      places.map(({ message }) => message),
      store.getState().selection?.message,
    )
    const place = places.find(({ message }) => message === at)
    if (place !== undefined) jump(place.message, place.result)
  }
  const hinted = HINTED.find((one) => one === rule)
  return (
    <li>
      <p className="max-w-prose">
        {sentence}{' '}
        {places.slice(0, MOST_PLACES).map(({ message, result }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: places keep their order
          <Fragment key={at}>
            {at > 0 && ' '}
            {/* A comma stays on the line of its link. */}
            <span className="whitespace-nowrap">
              <TurnLink turn={messages[message]?.turn} message={message} result={result} />
              {at < Math.min(places.length, MOST_PLACES + 1) - 1 && ','}
            </span>
          </Fragment>
        ))}
        {places.length > MOST_PLACES && (
          <>
            {' … '}
            <Button kind="link" aria-label={t('showOf', { finding: sentence })} onClick={step}>
              {t('show')}
            </Button>
          </>
        )}{' '}
        {rule === 'broken_arguments' && (
          <Button kind="link" onClick={() => openPart('arguments')}>
            {t('repair')}
          </Button>
        )}
      </p>
      <p className="max-w-prose text-soft text-sm">
        <Providers rule={rule} /> {hinted !== undefined && t(`hints.${hinted}`)}{' '}
        {rule === 'edited_before_thinking' && <ModelInUse />}
      </p>
    </li>
  )
}

function Providers({ rule }: { readonly rule: HistoryRule }) {
  const t = useTranslations('integrity')
  const format = useFormatter()
  const { rejects } = REJECTIONS[rule]
  const undocumented = undocumentedFor(rule)
  return [
    t('rejected', { providers: format.list(rejects) }),
    undocumented.length > 0 && t('undocumented', { providers: format.list(undocumented) }),
  ]
    .filter(Boolean)
    .join(' ')
}

/** Whether the model in use checks what precedes its thinking. */
function ModelInUse() {
  const t = useTranslations('integrity')
  const name = usePlaygroundState((state) => modelNameOf(state).name)
  const shown = usePlaygroundState((state) => modelOf(state)?.name) ?? name
  return t(bindsThinking(name) ? 'isInUse' : 'isNotInUse', { model: shown })
}
