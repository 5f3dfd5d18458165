'use client'

import { useDeferredValue, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { BuiltNextRequest } from '@/lib/state/loop/next-request-builder'
import { usePlaygroundState } from '../../playground-context'
import { Collapsible } from '../../ui/collapsible'
import { SegmentedControl } from '../../ui/segmented-control'
import { useFigureFormat } from '../../use-figure-format'
import { RequestActions } from './request-actions'
import { RequestCheck } from './request-check'
import { RequestText } from './request-text'

export interface RequestPreviewProps {
  readonly built: BuiltNextRequest
  /** True if the preview matches the current settings. */
  readonly isCurrent: boolean
}

/** The request to send: tokens before and after masking, provider checks, and its text. */
export function RequestPreview({ built, isCurrent }: RequestPreviewProps) {
  const t = useTranslations('nextRequest.preview')
  const [which, setWhich] = useState<'whole' | 'masked'>('masked')
  const text = built.texts[which]
  const shown = useDeferredValue(text)
  const placeholders = useMemo(
    () => (which === 'masked' ? built.placeholders.map((one) => JSON.stringify(one.text)) : []),
    [built, which],
  )
  return (
    <section
      aria-label={t('title')}
      className={`flex min-h-0 min-w-0 flex-1 flex-col gap-2 pb-4 ${isCurrent ? '' : 'faded'}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <Weight built={built} />
        <SegmentedControl
          kind="quiet"
          label={t('which')}
          value={which}
          options={(['whole', 'masked'] as const).map((value) => ({ value, label: t(value) }))}
          onValueChange={setWhich}
        />
      </div>
      <RequestCheck built={built} />
      <RequestActions built={built} which={which} />
      <RequestText text={shown} marked={placeholders} />
      {built.placeholders.length > 0 && which === 'masked' && <Placeholders built={built} />}
    </section>
  )
}

/** Tokens before and after masking, with the reason if they are equal. */
function Weight({ built }: { readonly built: BuiltNextRequest }) {
  const t = useTranslations('nextRequest.preview')
  const { change } = useFigureFormat()
  const policy = usePlaygroundState((state) => state.policy)
  const { tokens, turns } = built
  const isSame = tokens.before === tokens.after
  const reason =
    !policy.enabled || policy.windowTurns <= 0
      ? t('off')
      : turns <= policy.windowTurns
        ? t('inWindow', { turns, window: policy.windowTurns })
        : t('nothing')
  return (
    <div className="min-w-0" aria-live="polite">
      <p className="font-medium tabular-nums">
        {isSame ? t('same', { tokens: tokens.before }) : t('change', tokens)}{' '}
        {!isSame && (
          <span className={tokens.after < tokens.before ? 'text-good' : 'text-warn'}>
            {change(tokens.before, tokens.after)}
          </span>
        )}
      </p>
      {isSame && <p className="text-soft text-sm">{reason}</p>}
    </div>
  )
}

const MOST_PLACEHOLDERS = 50

function Placeholders({ built: { placeholders } }: Pick<RequestPreviewProps, 'built'>) {
  const t = useTranslations('nextRequest.preview')
  return (
    <div className="max-h-40 shrink-0 overflow-y-auto">
      <Collapsible kind="quiet" label={t('placeholders', { count: placeholders.length })}>
        <ul className="mt-1 space-y-1 text-sm">
          {placeholders.slice(0, MOST_PLACEHOLDERS).map(({ message, callId, text, isOld }) => (
            <li key={`${message} ${callId}`} className="break-words">
              <span className="text-faint">{t('where', { message: message + 1 })}</span>{' '}
              <span className="font-mono text-soft">{text}</span>
              {isOld && <span className="text-faint"> · {t('isOld')}</span>}
            </li>
          ))}
        </ul>
      </Collapsible>
    </div>
  )
}
