'use client'

import { Ellipsis, Monitor } from 'lucide-react'
import { useTheme } from 'next-themes'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { RecentButton } from '../drafts/recent-button'
import { LazyShare } from '../share/lazy-share'
import { IconButton } from '../ui/icon-button'
import { Menu, MenuChoice } from '../ui/menu'
import { HistoryButtons } from './history-buttons'
import { LazyPasteDialog } from './lazy-paste-dialog'
import { OpenMenu } from './open-menu'
import { SamplesMenu } from './samples-menu'
import { useMore } from './use-more'

/** The header: the open document and its actions. A narrow one has a second row, shown on demand. */
export function HeaderBar({ children }: { readonly children: ReactNode }) {
  const t = useTranslations('shell')
  const more = useMore()
  return (
    <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-6 py-1.5 max-lg:px-4 lg:flex-nowrap">
      <h1 className="whitespace-nowrap font-semibold text-lg tracking-tight max-sm:sr-only">
        {t('product')}{' '}
        <span className="font-normal text-faint lg:max-xl:hidden">{t('playground')}</span>
      </h1>
      <div className="flex min-h-8 min-w-0 flex-1 items-center gap-2 max-[22rem]:basis-full max-sm:has-[>:nth-child(2)]:basis-full">
        {children}
      </div>
      <div
        ref={more.row}
        className={`flex items-center gap-2 max-lg:order-last max-lg:basis-full max-lg:flex-wrap ${more.isOpen ? '' : 'max-lg:hidden'}`}
      >
        <HistoryButtons />
        <span className="max-xl:hidden">
          <RecentButton />
        </span>
        <span className="xl:hidden">
          <RecentButton isIcon />
        </span>
        <SamplesMenu />
        <OpenMenu />
        <span className="ml-auto lg:hidden">
          <ThemeMenu />
        </span>
      </div>
      <span className="lg:hidden">
        <LazyPasteDialog />
      </span>
      <LazyShare />
      <span className="lg:hidden">
        <IconButton
          ref={more.button}
          label={t('more')}
          aria-expanded={more.isOpen}
          onClick={more.toggle}
        >
          <Ellipsis aria-hidden />
        </IconButton>
      </span>
      <span className="max-lg:hidden">
        <ThemeMenu />
      </span>
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
