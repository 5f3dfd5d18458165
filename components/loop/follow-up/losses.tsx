import { useTranslations } from 'use-intl'
import type { Loss } from '@/lib/core/convert/loss'
import { Collapsible } from '../../ui/collapsible'

/** What a request of chat completions cannot hold of the conversation; nothing where it holds all. */
export function Losses({ lost }: { readonly lost: readonly Loss[] }) {
  const t = useTranslations('followUp.lost')
  const tLoss = useTranslations('losses')
  if (lost.length === 0) return null
  return (
    <Collapsible label={t('title')} trailing={t('count', { count: lost.length })}>
      <ul className="mt-1 list-disc space-y-1 pl-5 text-soft marker:text-faint">
        {lost.map(({ kind, count }) => (
          <li key={kind}>{tLoss(kind, { count })}</li>
        ))}
      </ul>
    </Collapsible>
  )
}
