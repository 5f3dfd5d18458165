import { useState } from 'react'
import { isShortSession, sessionText } from '@/lib/state/link/share-transcript'
import { usePlaygroundState, useView } from '../playground-context'
import { SecretList, useSecretScan } from '../share/transcript-link'
import { Button } from '../ui/button'
import { usePaused } from '../use-events'

/** Possible secrets in the session to save. They are redacted only on request, since most session files stay private. */
export function SessionSecrets(props: {
  /** Texts of the secrets that are not redacted; undefined if none is redacted. */
  readonly unredacted: ReadonlySet<string> | undefined
  readonly onChange: (unredacted: ReadonlySet<string> | undefined) => void
}) {
  const { unredacted, onChange } = props
  const { t } = useView('share.transcript')
  const isShort = usePlaygroundState(isShortSession)
  const [isAsked, setAsked] = useState(false)
  const text = usePaused(usePlaygroundState(sessionText))
  const looked = useSecretScan(isShort || isAsked ? text : undefined)
  const secrets = looked?.secrets ?? []
  const all = new Set(secrets.map((secret) => secret.text))
  if (!isShort && !isAsked) {
    return (
      <p className="mt-3">
        <Button kind="link" onClick={() => setAsked(true)}>
          {t('scan')}
        </Button>
      </p>
    )
  }
  return (
    <div className="mt-4" aria-live="polite">
      {looked === undefined && <p className="text-soft text-sm">{t('scanning')}</p>}
      {looked !== undefined && secrets.length === 0 && (
        <p className="text-soft text-sm">
          {t('none')} {t('noneHint')}
        </p>
      )}
      {secrets.length > 0 && (
        <SecretList
          secrets={secrets}
          unredacted={unredacted ?? all}
          onChange={(next) => onChange(next.size === all.size ? undefined : next)}
        />
      )}
    </div>
  )
}
