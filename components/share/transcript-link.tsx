import { Copy, Download } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import type { LinkSettings } from '@/lib/core/share/link/settings-link'
import type { FoundSecret } from '@/lib/core/share/secrets/find-secrets'
import type { Messages } from '@/lib/messages/languages'
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
import { usePlaygroundState, useView } from '../playground-context'
import { copyText, saveFile } from '../save-file'
import { Button, linkTo } from '../ui/button'
import { CheckboxField } from '../ui/switch-field'
import { pageUrl } from './figures-url'

const NONE: ReadonlySet<string> = new Set()

/**
 * A link with the transcript: possible secrets first, then its length and the button that copies it, or a file if the
 * link is too long. A redacted text is scanned again; it cannot be shared while the scan runs or still finds secrets.
 */
export function TranscriptLink({ settings }: { readonly settings: LinkSettings }) {
  const { t, store, actions } = useView('share.transcript')
  const own = usePlaygroundState((state) => (isCurrent(state) ? state.source.text : undefined))
  const looked = useSecretScan(own)
  const [unredacted, setUnredacted] = useState(NONE)
  const text = useMemo(() => looked && redactText(looked, unredacted), [looked, unredacted])
  const isRedacted = text !== looked?.text
  const secondScan = useSecretScan(isRedacted ? text : undefined)
  const isScanning = isRedacted && secondScan === undefined
  const remaining = secondScan === undefined ? [] : remainingSecrets(secondScan, unredacted)
  const packed = useMemo(() => (text === undefined ? undefined : packTranscript(text)), [text])
  const name = usePlaygroundState(sessionFileName)
  const link = packed === undefined ? undefined : pageUrl(transcriptFragment(settings, packed))
  const fit = link === undefined ? 'refused' : linkFit(link.length)
  const isLong = fit === 'refused' || fit === 'long'
  const copy = () => link && copyText(actions, link, 'copied_full_link', { chars: link.length })
  const save = (shared: string) => saveFile(actions, name, transcriptFile(store.getState(), shared))
  return (
    <>
      <div role="status">
        {looked === undefined ? (
          <span className="text-soft">{t('scanning')}</span>
        ) : looked.secrets.length === 0 ? (
          <p>
            {t('none')} <span className="text-soft">{t('noneHint')}</span>
          </p>
        ) : (
          <SecretList secrets={looked.secrets} unredacted={unredacted} onChange={setUnredacted} />
        )}
      </div>
      {remaining.length > 0 && (
        <p role="alert" className="text-warn">
          {t('remaining', { n: remaining.length })}
        </p>
      )}
      {text !== undefined && remaining.length === 0 && (
        <div className="mt-auto flex flex-wrap items-center justify-end gap-x-2 gap-y-3">
          <p className="basis-full">
            <strong className="font-semibold tabular-nums">
              {link === undefined
                ? t('tooLong', { chars: Math.round(text.length / 1e5) / 10 })
                : t('length', { chars: link.length })}
            </strong>{' '}
            <span className={isLong ? 'text-warn' : 'text-soft'}>{t(fit)}</span>
          </p>
          {isScanning && (
            <span role="status" className="text-soft">
              {t('scanningAgain')}
            </span>
          )}
          {isLong && (
            <Button
              kind={fit === 'long' ? 'plain' : 'primary'}
              className="max-w-full"
              disabled={isScanning}
              onClick={() => save(text)}
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
      )}
    </>
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

/** So many are listed at first, and so many more each time that more are wanted. */
const FIRST_LISTED = 50
const MORE_LISTED = 200

/** Possible secrets, each with a checkbox to redact it. Only the kind and the first characters are shown. */
export function SecretList(props: {
  readonly secrets: readonly FoundSecret[]
  /** Texts of the secrets that are not redacted. */
  readonly unredacted: ReadonlySet<string>
  readonly onChange: (unredacted: ReadonlySet<string>) => void
}) {
  const { secrets, unredacted, onChange } = props
  const { t } = useView('share.transcript')
  const nameOf = (kind: string): string => {
    const key = `kinds.${kind as keyof Messages['share']['transcript']['kinds']}` as const
    return t.has(key) ? t(key) : t('otherKind', { provider: kind })
  }
  const isNone = unredacted.size === secrets.length
  const isAll = unredacted.size === 0
  const [listed, setListed] = useState(FIRST_LISTED)
  const more = Math.min(secrets.length - listed, MORE_LISTED)
  const choose = (text: string, isRedacted: boolean) => {
    const others = [...unredacted].filter((other) => other !== text)
    onChange(new Set(isRedacted ? others : [...others, text]))
  }
  return (
    <section aria-label={t('found', { n: secrets.length })}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <p className="font-medium text-warn">{t('found', { n: secrets.length })}</p>
        {linkTo(() => onChange(new Set(isAll ? secrets.map(({ text }) => text) : [])))(
          t(isAll ? 'redactNone' : 'redactAll'),
        )}
      </div>
      <div className="mt-1 flex max-h-60 flex-col overflow-y-auto">
        {secrets.slice(0, listed).map(({ kind, text, spans }) => (
          <CheckboxField
            key={text}
            isChecked={!unredacted.has(text)}
            onChange={(isRedacted) => choose(text, isRedacted)}
            label={
              <>
                {nameOf(kind)}{' '}
                <code className="break-all font-mono text-sm text-soft">{beginningOf(text)}</code>
              </>
            }
            trailing={<span className="tabular-nums">{t('places', { n: spans.length })}</span>}
          />
        ))}
      </div>
      {more > 0 && linkTo(() => setListed(listed + MORE_LISTED))(t('rest', { n: more }))}
      <p className="mt-2 text-sm">
        {!isAll && (
          <span className="text-warn">
            {t(isNone ? 'sendAll' : 'sendSome', { n: unredacted.size, all: secrets.length })}{' '}
          </span>
        )}
        {!isNone && <span className="text-soft">{t('redactHint')}</span>}
      </p>
    </section>
  )
}

/** Returns enough characters to recognise a secret; for a private key, its first line. */
function beginningOf(text: string): string {
  const shown = Math.min(11, Math.floor(text.length / 4))
  return `${text.slice(0, shown)}…`
}
