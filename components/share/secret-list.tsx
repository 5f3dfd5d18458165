import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { FoundSecret } from '@/lib/core/share/secrets/find-secrets'
import type { Messages } from '@/lib/messages/languages'
import { Button } from '../ui/button'
import { CheckboxField } from '../ui/switch-field'

interface SecretListProps {
  readonly secrets: readonly FoundSecret[]
  /** Texts of the secrets that are not redacted. */
  readonly unredacted: ReadonlySet<string>
  readonly onChange: (unredacted: ReadonlySet<string>) => void
}

/** So many are listed at first, and so many more each time that more are wanted. */
const FIRST_LISTED = 50
const MORE_LISTED = 200

type OwnKind = keyof Messages['share']['transcript']['kinds']

/** Possible secrets, each with a checkbox to redact it. Only the kind and the first characters are shown. */
export function SecretList({ secrets, unredacted, onChange }: SecretListProps) {
  const t = useTranslations('share.transcript')
  const nameOf = (kind: string): string => {
    const key = `kinds.${kind as OwnKind}` as const
    return t.has(key) ? t(key) : t('otherKind', { provider: kind })
  }
  const isNone = unredacted.size === secrets.length
  const [listed, setListed] = useState(FIRST_LISTED)
  const rest = secrets.length - listed
  const choose = (text: string, isRedacted: boolean) => {
    const next = new Set(unredacted)
    if (isRedacted) next.delete(text)
    else next.add(text)
    onChange(next)
  }
  return (
    <section aria-label={t('found', { n: secrets.length })}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <p className="font-medium text-warn">{t('found', { n: secrets.length })}</p>
        <Button
          kind="link"
          onClick={() =>
            onChange(unredacted.size > 0 ? new Set() : new Set(secrets.map(({ text }) => text)))
          }
        >
          {t(unredacted.size > 0 ? 'redactAll' : 'redactNone')}
        </Button>
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
      {rest > 0 && (
        <Button kind="link" onClick={() => setListed(listed + MORE_LISTED)}>
          {t('rest', { n: Math.min(rest, MORE_LISTED) })}
        </Button>
      )}
      <p className="mt-2 text-sm">
        {unredacted.size > 0 && (
          <span className="text-warn">
            {isNone
              ? t('sendAll')
              : t('sendSome', { n: unredacted.size, all: secrets.length })}{' '}
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
