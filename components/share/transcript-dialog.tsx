'use client'

import { Copy, Download } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { isCurrent } from '@/lib/state/document/selectors'
import { sessionFileName } from '@/lib/state/files/session-files'
import { linkFit } from '@/lib/state/link/settings-url'
import {
  packTranscript,
  redactText,
  remainingSecrets,
  type SecretScan,
  scanForSecrets,
  transcriptFile,
  transcriptFragment,
} from '@/lib/state/link/share-transcript'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { copyText, saveFile } from '../save-file'
import { Button } from '../ui/button'
import { Dialog, type DialogState } from '../ui/dialog'
import { pageUrl } from './page-url'
import { SecretList } from './secret-list'

const NONE: ReadonlySet<string> = new Set()

/** A link with the transcript: possible secrets first, then its length. */
export function TranscriptDialog(dialog: DialogState) {
  const t = useTranslations('share')
  const text = usePlaygroundState((state) =>
    dialog.isOpen && isCurrent(state) ? state.source.text : undefined,
  )
  const looked = useSecretScan(text)
  const [unredacted, setUnredacted] = useState(NONE)

  return (
    <Dialog
      title={t('transcript.title')}
      description={t('transcript.description')}
      closeLabel={t('close')}
      className="w-[min(36rem,calc(100vw-2rem))]"
      {...dialog}
      onOpenChange={(isOpen) => {
        dialog.onOpenChange(isOpen)
        setUnredacted(NONE)
      }}
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
  const copy = () => link && copyText(actions, link, 'copied_full_link', { chars: link.length })
  const save = () => saveFile(actions, name, transcriptFile(store.getState(), text))
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
            icon={Download}
          >
            <span className="truncate">{t('save', { name })}</span>
          </Button>
        )}
        {fit !== 'refused' && (
          <Button kind="primary" disabled={isScanning} onClick={() => void copy()} icon={Copy}>
            {t('copy')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** Scans a text for secrets. Undefined while there is no text or a scan is running. */
export function useSecretScan(text: string | undefined): SecretScan | undefined {
  const [scan, setLooked] = useState<SecretScan>()
  useEffect(() => {
    if (text === undefined) return
    let isCurrent = true
    void scanForSecrets(text).then((next) => {
      if (isCurrent) setLooked(next)
    })
    return () => {
      isCurrent = false
    }
  }, [text])
  return scan?.text === text ? scan : undefined
}
