'use client'

import { type RefObject, useState } from 'react'
import { useTranslations } from 'use-intl'
import { usePlaygroundState } from '../playground-context'
import { Dialog } from '../ui/dialog'
import { SecretList } from './secret-list'
import { TravellingTranscript } from './travelling-transcript'
import { useLookedThrough } from './use-looked-through'

export interface TranscriptDialogProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly returnFocusTo: RefObject<HTMLElement | null>
}

const NONE: ReadonlySet<string> = new Set()

/** A link with the transcript in it: what looks like a secret first, then how long it is and what that means. */
export function TranscriptDialog({ isOpen, onOpenChange, returnFocusTo }: TranscriptDialogProps) {
  const t = useTranslations('share')
  const text = usePlaygroundState(({ read }) => (isOpen ? read?.source.text : undefined))
  const looked = useLookedThrough(text)
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
          {looked === undefined && <p className="text-soft">{t('transcript.looking')}</p>}
          {looked?.secrets.length === 0 && (
            <p>
              {t('transcript.none')} <span className="text-soft">{t('transcript.noneHint')}</span>
            </p>
          )}
          {looked !== undefined && looked.secrets.length > 0 && (
            <SecretList secrets={looked.secrets} unredacted={unredacted} onChange={setUnredacted} />
          )}
        </div>
        {looked !== undefined && <TravellingTranscript looked={looked} unredacted={unredacted} />}
      </div>
    </Dialog>
  )
}
