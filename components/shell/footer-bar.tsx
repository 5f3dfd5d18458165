'use client'

import { Lock } from 'lucide-react'
import { useTranslations } from 'use-intl'

/** What holds for the whole page. */
export function FooterBar() {
  const t = useTranslations('shell')
  return (
    <footer className="flex items-center gap-2 border-line border-t px-6 py-1.5 text-soft text-sm max-md:px-4">
      <Lock className="size-3.5" aria-hidden />
      {t('privacy')}
      <span className="ml-auto max-md:hidden">{t('footerKeys')}</span>
    </footer>
  )
}
