'use client'

import { useTranslations } from 'use-intl'
import type { ArgumentsCheck } from '@/lib/core/repair/check-arguments'

/** Whether the repaired arguments are what the tool asks for. */
export function SchemaCheck({ check }: { readonly check: ArgumentsCheck }) {
  const t = useTranslations('repair.schema')
  if (check.state !== 'differs') return <p className="text-soft">{t(check.state)}</p>
  return (
    <div className="text-soft">
      <p>{t('differs')}</p>
      <ul className="list-disc pl-4">
        {check.differences.map(({ at, said }) => (
          <li key={`${at} ${said}`} className="break-words">
            <code className="font-mono text-sm">{at === '#' ? t('whole') : at.slice(2)}</code>:{' '}
            {said}
          </li>
        ))}
      </ul>
    </div>
  )
}
