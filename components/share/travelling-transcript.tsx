import { Copy, Download } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { sessionFileName } from '@/lib/state/session'
import {
  fateOfLink,
  type LookedThrough,
  packTranscript,
  transcriptFile,
  transcriptFragment,
  travellingText,
} from '@/lib/state/share-transcript'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { saveBlob } from '../save-file'
import { Button } from '../ui/button'
import { writeClipboard } from '../write-clipboard'
import { addressOf } from './address-of'

export interface TravellingTranscriptProps {
  readonly looked: LookedThrough
  readonly unredacted: ReadonlySet<string>
}

/** The link with the transcript: its length and what that means, before it is copied; a file where it is too long. */
export function TravellingTranscript({ looked, unredacted }: TravellingTranscriptProps) {
  const t = useTranslations('share.transcript')
  const { store, actions } = usePlayground()
  const text = useMemo(() => travellingText(looked, unredacted), [looked, unredacted])
  const packed = useMemo(() => packTranscript(text), [text])
  const fragment = usePlaygroundState((state) =>
    packed === undefined ? undefined : transcriptFragment(state, packed),
  )
  const name = usePlaygroundState(sessionFileName)
  const link = fragment === undefined ? undefined : addressOf(fragment)
  const fate = link === undefined ? 'refused' : fateOfLink(link.length)
  const copy = async () => {
    if (link === undefined) return
    if (await writeClipboard(link)) actions.notify('copied_full_link', { chars: link.length })
    else actions.notify('copy_failed', {}, 'error')
  }
  const save = () => {
    saveBlob(name, new Blob(transcriptFile(store.getState(), text), { type: 'application/json' }))
    actions.notify('downloaded', { name })
  }
  return (
    <div className="flex flex-col gap-3 border-t pt-3">
      <p>
        <strong className="font-semibold tabular-nums">
          {link === undefined
            ? t('tooLong', { chars: Math.round(text.length / 1e5) / 10 })
            : t('length', { chars: link.length })}
        </strong>{' '}
        <span className={fate === 'refused' ? 'text-warn' : 'text-soft'}>{t(fate)}</span>
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        {fate === 'refused' ? (
          <Button kind="primary" className="max-w-full" onClick={save}>
            <Download className="size-3.5" aria-hidden />
            <span className="truncate">{t('save', { name })}</span>
          </Button>
        ) : (
          <Button kind="primary" onClick={() => void copy()}>
            <Copy className="size-3.5" aria-hidden />
            {t('copy')}
          </Button>
        )}
      </div>
    </div>
  )
}
