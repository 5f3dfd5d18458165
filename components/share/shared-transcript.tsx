import { Copy, Download } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { sessionFileName } from '@/lib/state/files/session-files'
import { linkFit } from '@/lib/state/link/link-fit'
import {
  packTranscript,
  redactText,
  remainingSecrets,
  type SecretScan,
  transcriptFile,
  transcriptFragment,
} from '@/lib/state/link/share-transcript'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { saveBlob } from '../save-file'
import { Button } from '../ui/button'
import { writeClipboard } from '../write-clipboard'
import { pageUrl } from './page-url'
import { useSecretScan } from './use-secret-scan'

export interface SharedTranscriptProps {
  readonly looked: SecretScan
  readonly unredacted: ReadonlySet<string>
}

/**
 * The link with the transcript and its length, or a file if the link is too long. A redacted text is scanned again;
 * it cannot be shared while the scan runs or still finds secrets.
 */
export function SharedTranscript({ looked, unredacted }: SharedTranscriptProps) {
  const t = useTranslations('share.transcript')
  const { store, actions } = usePlayground()
  const text = useMemo(() => redactText(looked, unredacted), [looked, unredacted])
  const isRedacted = text !== looked.text
  const secondScan = useSecretScan(isRedacted ? text : undefined)
  const isScanning = isRedacted && secondScan === undefined
  const remaining = secondScan === undefined ? [] : remainingSecrets(secondScan, unredacted)
  const packed = useMemo(() => packTranscript(text), [text])
  const fragment = usePlaygroundState((state) =>
    packed === undefined ? undefined : transcriptFragment(state, packed),
  )
  const name = usePlaygroundState(sessionFileName)
  const link = fragment === undefined ? undefined : pageUrl(fragment)
  const fit = link === undefined ? 'refused' : linkFit(link.length)
  const copy = async () => {
    if (link === undefined) return
    if (await writeClipboard(link)) actions.notify('copied_full_link', { chars: link.length })
    else actions.notify('copy_failed', {}, 'error')
  }
  const save = () => {
    saveBlob(name, new Blob(transcriptFile(store.getState(), text), { type: 'application/json' }))
    actions.notify('downloaded', { name })
  }
  if (remaining.length > 0) {
    return (
      <p role="alert" className="border-t pt-3 text-warn">
        {t('remaining', { n: remaining.length })}
      </p>
    )
  }
  return (
    <div className="flex flex-col gap-3 border-t pt-3">
      <p>
        <strong className="font-semibold tabular-nums">
          {link === undefined
            ? t('tooLong', { chars: Math.round(text.length / 1e5) / 10 })
            : t('length', { chars: link.length })}
        </strong>{' '}
        <span className={fit === 'refused' || fit === 'long' ? 'text-warn' : 'text-soft'}>
          {t(fit)}
        </span>
      </p>
      <div className="flex flex-wrap items-center justify-end gap-2">
        {isScanning && (
          <span role="status" className="text-soft">
            {t('scanningAgain')}
          </span>
        )}
        {(fit === 'refused' || fit === 'long') && (
          <Button
            kind={fit === 'long' ? 'plain' : 'primary'}
            className="max-w-full"
            disabled={isScanning}
            onClick={save}
          >
            <Download className="size-3.5" aria-hidden />
            <span className="truncate">{t('save', { name })}</span>
          </Button>
        )}
        {fit !== 'refused' && (
          <Button kind="primary" disabled={isScanning} onClick={() => void copy()}>
            <Copy className="size-3.5" aria-hidden />
            {t('copy')}
          </Button>
        )}
      </div>
    </div>
  )
}
