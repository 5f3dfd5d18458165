import { useTranslations } from 'use-intl'
import type { FoundSecret } from '@/lib/core/share/secrets/find-secrets'
import { share } from '@/lib/messages/en/share'

/** More are counted, not listed. */
const MOST_LISTED = 50

type OwnKind = keyof (typeof share)['transcript']['kinds']

/** What was found, each by its kind and its beginning: the list itself tells nobody a secret. */
export function SecretList({ secrets }: { readonly secrets: readonly FoundSecret[] }) {
  const t = useTranslations('share.transcript')
  const nameOf = (kind: string): string =>
    Object.hasOwn(share.transcript.kinds, kind)
      ? t(`kinds.${kind as OwnKind}`)
      : t('otherKind', { provider: kind })
  const rest = secrets.length - MOST_LISTED
  return (
    <>
      <p className="font-medium text-warn">{t('found', { n: secrets.length })}</p>
      <ul className="mt-1 flex max-h-60 flex-col overflow-y-auto">
        {secrets.slice(0, MOST_LISTED).map(({ kind, text, spans }) => (
          <li key={text} className="flex items-baseline justify-between gap-3 py-0.5">
            <span className="min-w-0 truncate">
              {nameOf(kind)}{' '}
              <code className="font-mono text-sm text-soft">{beginningOf(text)}</code>
            </span>
            <span className="shrink-0 text-soft text-sm tabular-nums">
              {t('places', { n: spans.length })}
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="text-soft text-sm">{t('rest', { n: rest })}</p>}
    </>
  )
}

/** Enough to know it by, of what is long enough. */
function beginningOf(text: string): string {
  const shown = Math.min(11, Math.floor(text.length / 4))
  return `${text.slice(0, shown)}…`
}
