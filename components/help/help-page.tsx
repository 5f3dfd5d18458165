'use client'

import { useState } from 'react'
import { IntlProvider, useFormatter, useLocale, useMessages, useTranslations } from 'use-intl'
import { decide, REASONS } from '@/lib/core/policy/decide'
import { DEFAULT_POLICY } from '@/lib/core/policy/policy'
import type { DecidableResult } from '@/lib/core/policy/window-steps'
import type { MaskWindow } from '@/lib/core/replay/prepare-replay'
import english from '@/lib/messages/en/help.json'
import french from '@/lib/messages/fr/help.json'
import { LanguageSwitch, LICENCE, VERSION } from '../shell/footer-bar'
import { Slider } from '../ui/slider'
import { usePageTitle } from '../use-page-title'

const PLAYGROUND = `${process.env.NEXT_PUBLIC_BASE_PATH ?? ''}/`
/** What users see of each day's work, newest first. */
const NEWS = [
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
      'drawers',
    ],
  },
  { date: '2026-11-22', keys: ['first'] },
] as const
/** Values that the sentences of the reasons need, as an example. */
const VALUES = {
  turn: 3,
  window: 8,
  batch: 4,
  trigger: 32_000,
  k: 3,
  tool: 'read_file',
  rules: '…',
}

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

/** Turns, window, reasons, caching, forgetting and limits, with an example that is computed as in the playground. */
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
      <LiveExample />
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
              <li key={reason}>{reasons(reason, { ...VALUES, rules: errorRules('traceback') })}</li>
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

const SQUARES: Readonly<Record<SentState, string>> = {
  sent: 'h-3.5 bg-good',
  placeholder: 'h-2 bg-accent',
  error: 'h-3.5 rounded-full bg-warn',
}

const LARGEST_BATCH = 8

/** Requests of a small agent under a window that the reader moves; the policy of the playground decides. */
export function LiveExample() {
  const t = useTranslations('help')
  const [windowTurns, setWindow] = useState(3)
  const [batchTurns, setBatch] = useState(1)
  const requests = exampleRequests({ windowTurns, batchTurns })
  const results = requests.flat()
  const breaks = requests.filter((sent) => sent.some(({ isChanged }) => isChanged)).length
  const turns = (n: number) => t('example.turns', { n })
  const textOf = ({ state, isChanged }: SentResult) =>
    isChanged ? `${t(`example.${state}`)}, ${t('example.changed')}` : t(`example.${state}`)
  return (
    <section className="rounded-xl border border-line bg-raised p-5 max-sm:p-4">
      <h2 className="font-semibold text-lg">{t('example.title')}</h2>
      <p className="mt-1 max-w-[70ch] text-soft">{t('example.text')}</p>
      <div className="mt-4 grid gap-x-10 gap-y-4 md:grid-cols-[minmax(14rem,1fr)_auto]">
        <div>
          {(
            [
              [t('example.window'), TURNS, windowTurns, setWindow],
              [t('example.batch'), LARGEST_BATCH, batchTurns, setBatch],
            ] as const
          ).map(([label, maximum, value, set]) => (
            <div key={label} className="mb-2">
              <p className="flex justify-between font-medium">
                {label} <span className="font-normal tabular-nums">{turns(value)}</span>
              </p>
              <Slider
                label={label}
                value={value}
                minimum={1}
                maximum={maximum}
                valueText={turns}
                onValueChange={set}
              />
            </div>
          ))}
          <p aria-live="polite" className="mt-3 max-w-[46ch]">
            {t('example.summary', {
              sent: results.filter(({ state }) => state !== 'placeholder').length,
              all: results.length,
              breaks,
            })}
          </p>
          <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-soft text-sm">
            {(['sent', 'placeholder', 'error'] as const).map((state) => (
              <li key={state} className="flex items-center gap-2">
                <span aria-hidden className={`w-3.5 ${SQUARES[state]}`} />
                {t(`example.${state}`)}
              </li>
            ))}
            <li className="flex items-center gap-2">
              <span aria-hidden className="h-3.5 w-3.5 outline-2 outline-bad -outline-offset-1" />
              {t('example.changed')}
            </li>
          </ul>
        </div>
        <table className="border-separate border-spacing-0.5 text-soft text-sm">
          <caption className="sr-only">{t('example.caption')}</caption>
          <thead className="sr-only">
            <tr>
              <td />
              {requests.slice(1).map((_, at) => (
                <th key={t('example.result', { n: at + 1 })} scope="col">
                  {t('example.result', { n: at + 1 })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {requests.map((sent, at) => {
              const name = t('example.request', { n: at + 1 })
              return (
                <tr key={name}>
                  <th
                    scope="row"
                    className="whitespace-nowrap pr-3 text-left max-sm:pr-1 font-normal"
                  >
                    {name}
                  </th>
                  {requests.slice(1).map((_, index) => {
                    const one = sent[index]
                    return (
                      <td key={t('example.result', { n: index + 1 })} className="size-4.5 p-0">
                        {one !== undefined && (
                          <div
                            className={`flex size-4.5 items-center justify-center ${one.isChanged ? 'outline-2 outline-bad -outline-offset-1' : ''}`}
                          >
                            <span className={`w-3.5 ${SQUARES[one.state]}`} />
                            <span className="sr-only">{textOf(one)}</span>
                          </div>
                        )}
                      </td>
                    )
                  })}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const TURNS = 10
/** Index of the result that is an error. */
const ERROR_TURN = 5

type SentState = 'sent' | 'placeholder' | 'error'

interface SentResult {
  readonly state: SentState
  /** True if the request before sent it differently. */
  readonly isChanged: boolean
}

const RESULTS = Array.from(
  { length: TURNS },
  (_, turn): DecidableResult => ({
    message: 2 * turn + 2,
    callId: `call_${turn + 1}`,
    turn,
    toolName: 'read_file',
    toolArguments: '{}',
    firstLine: '',
    shape: 'text',
    errorRules: turn === ERROR_TURN ? ['traceback'] : [],
    chars: 2_000,
    length: 2_000,
  }),
)

/** What each request of the example sends, as the policy decides it: the first one has no result, each later one has one more. */
function exampleRequests(window: MaskWindow): SentResult[][] {
  const requests: SentResult[][] = [[]]
  for (let turnCount = 1; turnCount <= TURNS; turnCount++) {
    const results = RESULTS.slice(0, turnCount)
    const policy = { ...DEFAULT_POLICY, ...window, enabled: true }
    const decisions = decide({ results, turnCount, messages: [] }, policy, { textOf: () => '' })
    const before = requests.at(-1) ?? []
    requests.push(
      decisions.map(({ action, reason }, index) => {
        const state = action === 'mask' ? 'placeholder' : reason === 'kept_error' ? 'error' : 'sent'
        const isMasked = (one: SentState) => one === 'placeholder'
        const last = before[index]
        return { state, isChanged: last !== undefined && isMasked(last.state) !== isMasked(state) }
      }),
    )
  }
  return requests
}
