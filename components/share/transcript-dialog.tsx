'use client'

import { type RefObject, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { FoundSecret } from '@/lib/core/share/secrets/find-secrets'
import { type LookedThrough, lookThrough } from '@/lib/state/share-transcript'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Dialog } from '../ui/dialog'
import { SwitchField } from '../ui/switch-field'
import { SecretList } from './secret-list'
import { TravellingTranscript } from './travelling-transcript'

export interface TranscriptDialogProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly returnFocusTo: RefObject<HTMLElement | null>
}

const NOTHING: readonly FoundSecret[] = []

/** A link with the transcript in it: what looks like a secret first, then how long it is and what that means. */
export function TranscriptDialog({ isOpen, onOpenChange, returnFocusTo }: TranscriptDialogProps) {
  const t = useTranslations('share')
  const { store } = usePlayground()
  const source = usePlaygroundState(({ read }) => read?.source.id)
  const [looked, setLooked] = useState<LookedThrough>()
  const [isRedacting, setRedacting] = useState(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is looked through anew
  useEffect(() => {
    if (!isOpen) return
    let isCurrent = true
    void lookThrough(store.getState()).then((next) => {
      if (isCurrent) setLooked(next)
    })
    return () => {
      isCurrent = false
    }
  }, [isOpen, source, store])
  const secrets = looked?.source === source ? looked?.secrets : undefined

  return (
    <Dialog
      title={t('transcript.title')}
      description={t('transcript.description')}
      closeLabel={t('close')}
      className="w-[min(36rem,calc(100vw-2rem))]"
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      returnFocusTo={returnFocusTo}
    >
      <div className="flex flex-col gap-4" aria-live="polite">
        {secrets === undefined && <p className="text-soft">{t('transcript.looking')}</p>}
        {secrets?.length === 0 && (
          <p>
            {t('transcript.none')} <span className="text-soft">{t('transcript.noneHint')}</span>
          </p>
        )}
        {secrets !== undefined && secrets.length > 0 && (
          <section aria-label={t('transcript.found', { n: secrets.length })}>
            <SecretList secrets={secrets} />
            <div className="mt-3">
              <SwitchField
                label={t('transcript.redact')}
                isOn={isRedacting}
                onChange={setRedacting}
                description={isRedacting ? t('transcript.redactHint') : undefined}
              />
              {!isRedacting && <p className="text-warn">{t('transcript.sendWhole')}</p>}
            </div>
          </section>
        )}
        {looked !== undefined && secrets !== undefined && (
          <TravellingTranscript looked={looked} redacted={isRedacting ? secrets : NOTHING} />
        )}
      </div>
    </Dialog>
  )
}
