'use client'

import { Monitor } from 'lucide-react'
import { useTheme } from 'next-themes'
import { useTranslations } from 'use-intl'
import { IconButton } from '../ui/icon-button'
import { Menu, MenuChoice } from '../ui/menu'

/** Light, dark, or as the system has it. */
export function ThemeMenu() {
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
