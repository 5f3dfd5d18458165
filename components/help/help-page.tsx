'use client'

import { IntlProvider, useFormatter, useLocale, useMessages, useTranslations } from 'use-intl'
import { REASONS } from '@/lib/core/policy/decide'
import english from '@/lib/messages/en/help.json'
import french from '@/lib/messages/fr/help.json'
import { LanguageSwitch, LICENCE, VERSION } from '../shell/footer-bar'
import { usePageTitle } from '../use-page-title'

const PLAYGROUND = `${process.env.NEXT_PUBLIC_BASE_PATH ?? ''}/`
/** What users see of each day's work, newest first. */
const NEWS = [
  { date: '2026-11-28', keys: ['watch', 'mechanisms', 'preview', 'block'] },
  {
    date: '2026-11-23',
    keys: [
      'offline',
      'map',
      'signed',
      'band',
      'formats',
      'french',
      'verdict',
      'figures',
      'embed',
      'fleet',
      'views',
    ],
  },
  { date: '2026-11-22', keys: ['first'] },
] as const
/** Values that the sentences of the reasons need, as an example. */
const GIVEN = { turn: 3, window: 8, batch: 4, trigger: 32_000, k: 3, tool: 'read_file', rules: '…' }

const TEXTS = { en: english, fr: french }

/** The help page with its own texts. */
export function HelpPage() {
  const locale = useLocale()
  const messages = useMessages()
  return (
    <IntlProvider locale={locale} messages={{ ...messages, help: TEXTS[locale] }} timeZone="UTC">
      <Help />
    </IntlProvider>
  )
}

/** Turns, window, reasons, caching, forgetting and limits. */
function Help() {
  const t = useTranslations('help')
  usePageTitle(t('title'))
  const reasons = useTranslations('reasons')
  const format = useFormatter()
  const errorRules = useTranslations('errorRules')
  return (
    <main className="mx-auto flex max-w-5xl flex-col gap-8 px-5 py-8 text-lg leading-relaxed">
      <header className="flex flex-col gap-3">
        <nav className="flex items-center justify-between gap-4 text-base">
          <a href={PLAYGROUND} className="text-accent underline underline-offset-3">
            {t('open')}
          </a>
          <LanguageSwitch />
        </nav>
        <h1 className="font-semibold text-2xl tracking-tight">{t('title')}</h1>
        <p className="max-w-[70ch]">{t('intro')}</p>
      </header>
      <div className="gap-12 md:columns-2 [&>section]:mb-7 [&>section]:break-inside-avoid-column">
        <Section title={t('turns.title')} texts={[t('turns.a'), t('turns.b'), t('turns.c')]} />
        <Section
          title={t('caching.title')}
          texts={[t('caching.a'), t('caching.b'), t('caching.c')]}
        />
        <Section title={t('forgetting.title')} texts={[t('forgetting.a'), t('forgetting.b')]} />
        <Section title={t('kept.title')} texts={[t('kept.text')]}>
          <ul className="mt-1 list-disc space-y-0.5 pl-5 text-base marker:text-ghost">
            {REASONS.map((reason) => (
              <li key={reason}>{reasons(reason, { ...GIVEN, rules: errorRules('traceback') })}</li>
            ))}
          </ul>
        </Section>
        <Section title={t('limits.title')} texts={[t('limits.a'), t('limits.b'), t('limits.c')]} />
        <Section title={t('privacy.title')} texts={[t('privacy.text')]} />
      </div>
      <section id="news" className="max-w-[70ch] scroll-mt-4 border-line border-t pt-6">
        <h2 className="mb-1 font-semibold">{t('news.title')}</h2>
        <p className="mb-2">
          {t('news.version', { version: VERSION })}{' '}
          <a href={LICENCE} className="text-accent underline underline-offset-3">
            {t('news.licences')}
          </a>
        </p>
        {NEWS.map(({ date, keys }) => (
          <div key={date}>
            <h3 className="mt-3 text-base text-soft">
              <time dateTime={date}>
                {format.dateTime(new Date(date), { dateStyle: 'long', timeZone: 'UTC' })}
              </time>
            </h3>
            <ul className="list-disc space-y-0.5 pl-5 text-base marker:text-ghost">
              {keys.map((key) => (
                <li key={key}>{t(`news.${key}`)}</li>
              ))}
            </ul>
          </div>
        ))}
      </section>
    </main>
  )
}

function Section(props: {
  readonly title: string
  readonly texts: readonly string[]
  readonly children?: React.ReactNode
}) {
  const { title, texts, children } = props
  return (
    <section>
      <h2 className="mb-1 font-semibold">{title}</h2>
      {texts.map((text) => (
        <p key={text} className="mb-2">
          {text}
        </p>
      ))}
      {children}
    </section>
  )
}
