'use client'

import { useTranslations } from 'use-intl'

const PLAYGROUND = `${process.env.NEXT_PUBLIC_BASE_PATH ?? ''}/`

export default function NotFound() {
  const t = useTranslations('shell')
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 p-6 text-center">
      {/* A masked line among two that are kept. */}
      <div aria-hidden className="flex w-24 flex-col gap-3">
        <span className="h-2.5 rounded-full bg-ink" />
        <span className="h-2.5 w-3/5 rounded-full bg-accent" />
        <span className="h-2.5 rounded-full bg-ink" />
      </div>
      <h1 className="font-semibold text-2xl tracking-tight">{t('notFound')}</h1>
      <a href={PLAYGROUND} className="text-accent underline underline-offset-4">
        {t('toPlayground')}
      </a>
    </main>
  )
}
