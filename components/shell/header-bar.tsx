'use client'

import { Monitor } from 'lucide-react'
import { useTheme } from 'next-themes'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { RecentButton } from '../drafts/recent-button'
import { ShareButton } from '../share/share-button'
import { IconButton } from '../ui/icon-button'
import { Menu, MenuChoice } from '../ui/menu'
import { HistoryButtons } from './history-buttons'
import { OpenMenu } from './open-menu'
import { PasteDialog } from './paste-dialog'
import { SamplesMenu } from './samples-menu'

/** The header: the open document and its actions. */
export function HeaderBar({ children }: { readonly children: ReactNode }) {
  const t = useTranslations('shell')
  return (
    <header className="flex min-h-12 flex-wrap items-center lg:flex-nowrap gap-x-3 gap-y-1 border-line border-b px-6 py-1.5 max-lg:px-4">
      <h1 className="whitespace-nowrap font-semibold text-lg tracking-tight">
        {t('product')}{' '}
        <span className="font-normal text-faint max-sm:sr-only">{t('playground')}</span>
      </h1>
      <div className="flex min-w-0 items-center gap-2 max-lg:order-last max-lg:w-full lg:flex-1">
        {children}
      </div>
      <div className="ml-auto flex items-center gap-2 max-lg:contents">
        <div className="flex items-center max-lg:ml-auto">
          <HistoryButtons />
          <span className="lg:hidden">
            <RecentButton isIcon />
          </span>
        </div>
        <div className="flex items-center gap-2 max-lg:order-last max-lg:w-full max-lg:flex-wrap max-lg:[&>:last-child]:ml-auto">
          <span className="max-lg:hidden">
            <RecentButton />
          </span>
          <SamplesMenu />
          <OpenMenu />
          <span className="lg:hidden">
            <PasteDialog />
          </span>
          <ShareButton />
        </div>
        <ThemeMenu />
      </div>
    </header>
  )
}

function ThemeMenu() {
  const t = useTranslations('shell')
  const { theme, setTheme } = useTheme()
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={t('theme')}>
          <Monitor aria-hidden />
        </IconButton>
      }
    >
      <MenuChoice
        label={t('theme')}
        value={theme ?? 'system'}
        options={[
          { value: 'system', label: t('themeSystem') },
          { value: 'light', label: t('themeLight') },
          { value: 'dark', label: t('themeDark') },
        ]}
        onValueChange={setTheme}
      />
    </Menu>
  )
}
