'use client'

import { useTranslations } from 'use-intl'
import { Button } from '@/components/ui/button'

/** Shown instead of a view whose code failed. What was open is in the browser's storage, so a reload opens it again. */
export default function Failure({ error }: { readonly error: Error }) {
  const t = useTranslations('shell.failure')
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-4 p-6 text-center">
      <h1 className="font-semibold text-2xl tracking-tight">{t('title')}</h1>
      <p className="max-w-prose text-soft">{t('kept')}</p>
      <p className="max-w-prose break-words font-mono text-faint text-sm">{error.message}</p>
      <Button kind="primary" onClick={() => location.reload()}>
        {t('reload')}
      </Button>
    </main>
  )
}
