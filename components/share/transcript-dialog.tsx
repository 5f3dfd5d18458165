'use client'

import { type RefObject, useState } from 'react'
import { useTranslations } from 'use-intl'
import { isCurrent } from '@/lib/state/document/selectors'
import { usePlaygroundState } from '../playground-context'
import { Dialog } from '../ui/dialog'
import { SecretList } from './secret-list'
import { SharedTranscript } from './shared-transcript'
import { useSecretScan } from './use-secret-scan'

export interface TranscriptDialogProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly returnFocusTo: RefObject<HTMLElement | null>
}

const NONE: ReadonlySet<string> = new Set()

/** A link with the transcript: possible secrets first, then its length. */
export function TranscriptDialog({ isOpen, onOpenChange, returnFocusTo }: TranscriptDialogProps) {
  const t = useTranslations('share')
  const text = usePlaygroundState((state) =>
    isOpen && isCurrent(state) ? state.source.text : undefined,
  )
  const looked = useSecretScan(text)
  const [unredacted, setUnredacted] = useState(NONE)

  return (
    <Dialog
      title={t('transcript.title')}
      description={t('transcript.description')}
      closeLabel={t('close')}
      className="w-[min(36rem,calc(100vw-2rem))]"
      isOpen={isOpen}
      onOpenChange={(open) => {
        onOpenChange(open)
        setUnredacted(NONE)
      }}
      returnFocusTo={returnFocusTo}
    >
      <div className="flex flex-col gap-4">
        <div aria-live="polite">
          {looked === undefined && <p className="text-soft">{t('transcript.scanning')}</p>}
          {looked?.secrets.length === 0 && (
            <p>
              {t('transcript.none')} <span className="text-soft">{t('transcript.noneHint')}</span>
            </p>
          )}
          {looked !== undefined && looked.secrets.length > 0 && (
            <SecretList secrets={looked.secrets} unredacted={unredacted} onChange={setUnredacted} />
          )}
        </div>
        {looked !== undefined && <SharedTranscript looked={looked} unredacted={unredacted} />}
      </div>
    </Dialog>
  )
}
