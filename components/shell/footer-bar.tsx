import { Lock, Monitor } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { useTheme } from 'next-themes'
import { useLocale, useTranslations } from 'use-intl'
import { LANGUAGE_NAMES, LANGUAGES } from '@/lib/messages/languages'
import { useChooseLanguage } from '../language-provider'
import { Findings } from '../loop/findings'
import { useFileListState } from '../playground-context'
import { Button } from '../ui/button'
import { Menu, MenuChoice } from '../ui/menu'
import { IconButton } from '../ui/tooltip'
import { PAGES, PageLink } from './page-link'

/** The footer: what the tools found, and the other pages. */
export function FooterBar() {
  const t = useTranslations('shell')
  const path = usePathname()
  const files = useFileListState((state) => state.files.length)
  return (
    <footer className="@container flex print:hidden items-center gap-x-6 border-line border-t px-6 py-1.5 text-soft text-sm max-[96rem]:gap-x-5 max-xl:gap-x-4 max-lg:px-4 max-xl:flex-wrap max-xl:gap-y-1">
      <Findings />
      <span
        title={t.markup('privacy', { first: (chunks) => chunks, more: (chunks) => chunks })}
        className="flex min-w-0 items-center gap-2 max-sm:basis-full sm:max-xl:flex-[1_1_10rem] sm:whitespace-pre"
      >
        <Lock className="size-3.5 shrink-0" aria-hidden />
        {/* Without room for it, the second part is on a line that is hidden. */}
        <span className="min-w-0 sm:flex sm:h-[1lh] sm:flex-wrap sm:overflow-hidden">
          {t.rich('privacy', {
            first: (chunks) => <span className="overflow-hidden text-ellipsis">{chunks}</span>,
            more: (chunks) => <span>{chunks}</span>,
          })}
        </span>
      </span>
      <span className="ml-auto flex h-[1lh] min-w-0 shrink-[999999] flex-wrap overflow-hidden whitespace-nowrap before:h-[1lh] before:w-px max-[112rem]:hidden">
        {t('footerKeys')}
      </span>
      <span className="flex gap-x-3 whitespace-nowrap max-[112rem]:ml-auto max-lg:leading-6 max-sm:ml-0">
        <a href={`${BASE}/help#news`} className={link}>
          {NUMBER}
          <span className={wide}>
            <span className="xl:max-[96rem]:hidden"> {COMMIT}</span> · {t('news')}
          </span>
        </a>
        <a href={LICENCE} className={`${link} ${wide}`}>
          {t('licence')}
        </a>
      </span>
      <nav aria-label={t('pages')} className="flex gap-x-3 max-sm:ml-auto max-lg:leading-6">
        {PAGES.map(([to, name]) => (
          <PageLink key={to} to={to} isHere={to === path} className={page}>
            {t(`page.${name}`, { files })}
          </PageLink>
        ))}
        <a href={`${BASE}/help`} className={link}>
          {t('help')}
        </a>
      </nav>
      <LanguageSwitch className="max-lg:leading-6" />
      <span className="-mx-2 -my-1">
        <ThemeMenu />
      </span>
    </footer>
  )
}

/** Light, dark, or the system's theme. */
function ThemeMenu() {
  const t = useTranslations('shell')
  const { theme, setTheme } = useTheme()
  return (
    <Menu side="top" align="end" trigger={<IconButton label={t('theme')} icon={Monitor} />}>
      <MenuChoice
        label={t('theme')}
        value={theme ?? 'system'}
        options={[
          ['system', t('themeSystem')],
          ['light', t('themeLight')],
          ['dark', t('themeDark')],
        ]}
        onValueChange={setTheme}
      />
    </Menu>
  )
}

/** A button for each other language, in its own words. */
export function LanguageSwitch({ className }: { readonly className?: string }) {
  const current = useLocale()
  const choose = useChooseLanguage()
  return LANGUAGES.filter((language) => language !== current).map((language) => (
    <Button
      key={language}
      kind="link"
      className={className}
      lang={language}
      onClick={() => choose(language)}
    >
      {LANGUAGE_NAMES[language]}
    </Button>
  ))
}

const BASE = process.env.NEXT_PUBLIC_BASE_PATH ?? ''
const NUMBER = process.env.NEXT_PUBLIC_VERSION ?? ''
/** Empty where it is unknown. */
const COMMIT = process.env.NEXT_PUBLIC_COMMIT ?? ''
export const VERSION = `${NUMBER} ${COMMIT}`.trim()
export const LICENCE = `${BASE}/notices.txt`

const link = 'text-accent underline decoration-1 underline-offset-3'
const page = `${link} whitespace-nowrap aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:no-underline`
/** Between a phone, where the footer wraps, and a wide screen, the version leads to the rest. */
const wide = 'sm:max-xl:hidden'
