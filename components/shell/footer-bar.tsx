'use client'

import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'

export interface FooterBarProps {
  /** Shown first, such as the buttons that open the drawers. */
  readonly children?: ReactNode
}

/** The footer of the page. */
export function FooterBar({ children }: FooterBarProps) {
  const t = useTranslations('shell')
  return (
    <footer className="flex items-center gap-x-6 border-line border-t px-6 py-1.5 text-soft text-sm max-lg:px-4 max-sm:flex-wrap">
      {children}
      <span className="flex items-center gap-2 max-sm:basis-full">
        <Lock className="size-3.5 shrink-0" aria-hidden />
        {t('privacy')}
      </span>
      <span className="ml-auto max-lg:hidden">{t('footerKeys')}</span>
    </footer>
  )
}
