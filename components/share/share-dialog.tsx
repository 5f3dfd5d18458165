import { Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { batchNumber, type MaskPolicy, POLICY_FIELDS } from '@/lib/core/policy/policy'
import { verdictOf } from '@/lib/core/report/report-facts'
import { NO_SETTINGS } from '@/lib/core/share/link/settings-link'
import { REPORT_STEPS, reportFactsOf } from '@/lib/state/costs/session-report'
import { isCurrent } from '@/lib/state/document/selectors'
import { embedCode, linkSettingsOf, sharedFragment } from '@/lib/state/link/settings-url'
import { isChanged } from '@/lib/state/policy/policy-facts'
import { forgottenOf } from '@/lib/state/uses/later-uses'
import { useTried } from '../mechanisms/mechanism-detail'
import { useComputedState, usePlaygroundState, useView } from '../playground-context'
import { copyText } from '../save-file'
import { today } from '../today'
import { Button, linkTo } from '../ui/button'
import { Dialog, type DialogState } from '../ui/dialog'
import { FIELD_SURFACE } from '../ui/popover'
import { CheckboxField } from '../ui/switch-field'
import { copyFigures, figuresUrl, pageUrl, siteUrl } from './figures-url'
import { copyPicture, pictureOf } from './picture'
import { TranscriptLink } from './transcript-link'

/** What others get: a link with the settings, and one with the figures, each with what its receiver sees. */
export function ShareDialog(dialog: DialogState) {
  const t = useTranslations('share')
  const origin = usePlaygroundState(({ source }) => source.origin.kind)
  const isOwn = origin !== 'sample' && origin !== 'none'
  return (
    <Dialog
      title={t('button')}
      description={t('description')}
      className="w-[min(60rem,calc(100vw-2rem))]"
      {...dialog}
    >
      <div className="grid gap-4 md:grid-cols-2">
        <SettingsCard isPrimary={!isOwn} />
        <FiguresCard isPrimary={isOwn} />
      </div>
    </Dialog>
  )
}

const PREVIEW = 'rounded-md border bg-paper px-3 py-2.5'

function Card(props: {
  readonly title: string
  /** What the receiver sees. */
  readonly preview: ReactNode
  readonly holds: string
  readonly lacks?: string | undefined
  readonly children: ReactNode
}) {
  const { title, preview, holds, lacks, children } = props
  const t = useTranslations('share')
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-3 rounded-lg border p-4">
      <h3 className="font-semibold">{title}</h3>
      <div>
        <p className="mb-1 text-faint text-sm">{t('sees')}</p>
        {preview}
      </div>
      <p>
        {t('holds', { parts: holds })}
        {lacks !== undefined && <span className="text-soft"> {t('lacks', { parts: lacks })}</span>}
      </p>
      {children}
    </section>
  )
}

const FIRST_PARTS = ['policy', 'mechanism', 'model', 'view'] as const
const PARTS = [...FIRST_PARTS, 'sample', 'conversation', 'pinned'] as const

const IN_WORDS: readonly (keyof MaskPolicy)[] = ['enabled', 'windowTurns', 'batchTurns']

/** Returns the function that says a policy in a few words, and how many other settings it changes. */
function usePolicyWords() {
  const t = useTranslations('share')
  return (policy: MaskPolicy) => {
    const changed = POLICY_FIELDS.filter(
      ({ key }) => !IN_WORDS.includes(key) && isChanged(policy, key),
    )
    const window = policy.enabled ? policy.windowTurns : 0
    const batch = window === 0 ? 1 : batchNumber(policy)
    return t('settings', { window, batch, others: changed.length })
  }
}

/** The settings link: the settings, its contents and its length; with the transcript on request. */
function SettingsCard({ isPrimary }: { isPrimary: boolean }) {
  const { t, store, actions } = useView('share.link')
  const embed = useTranslations('embed')
  const format = useFormatter()
  const policyWords = usePolicyWords()
  const hasText = usePlaygroundState(isCurrent)
  const tried = useTried()
  const isSample = usePlaygroundState(({ source }) => source.origin.kind === 'sample')
  const isCompared = usePlaygroundState(({ pinned }) => pinned !== undefined)
  const [isFull, setFull] = useState(false)
  const [hasComparison, setComparison] = useState(false)
  const link = pageUrl(usePlaygroundState((state) => sharedFragment(state, hasComparison)))
  const settings = linkSettingsOf(store.getState(), hasComparison)
  const { policy, pinned, model } = settings
  const parts = PARTS.filter((part) => part === 'policy' || settings[part] !== NO_SETTINGS[part])
  const holds = [...parts, ...(isFull ? ['transcript' as const] : [])]
  const written = (['excludeTools', 'errorPatterns'] as const).map((key) => ({
    key,
    names: [...new Set([...policy[key], ...(pinned?.[key] ?? [])])],
  }))
  const copy = () => copyText(actions, link, 'copied_link', { chars: link.length })
  /** Copies HTML that shows the sample and its figures in another page. */
  const copyEmbed = () => {
    const code = embedCode(store.getState(), siteUrl(), embed('title'))
    return copyText(actions, code, 'copied_export', { name: embed('code') })
  }
  return (
    <Card
      title={t('title')}
      preview={
        <div className={PREVIEW}>
          <p className="font-medium">
            {[tried?.name, policyWords(policy), model].filter(Boolean).join(' · ')}
          </p>
          <p className="text-soft">{t(isFull ? 'onThis' : isSample ? 'onSample' : 'onOwn')}</p>
        </div>
      }
      holds={format.list(holds.map((part) => t(`parts.${part}`)))}
      lacks={isFull ? undefined : t('lacks')}
    >
      {written.map(({ key, names }) => (
        <p key={key} className="max-h-24 overflow-y-auto break-words empty:hidden">
          {names.length > 0 && `${t(key, { n: names.length })} ${names.join(', ')}`}
        </p>
      ))}
      {isCompared && (
        <CheckboxField label={t('compare')} isChecked={hasComparison} onChange={setComparison} />
      )}
      {hasText && <CheckboxField label={t('full')} isChecked={isFull} onChange={setFull} />}
      {isFull && hasText ? (
        <TranscriptLink settings={settings} />
      ) : (
        <div className="mt-auto flex flex-wrap items-center justify-end gap-2">
          <input
            readOnly
            aria-label={t('label')}
            value={link}
            onFocus={({ target }) => {
              target.select()
              // The selection has scrolled to its end.
              target.scrollLeft = 0
            }}
            className={`${FIELD_SURFACE} h-8 w-full px-2.5 font-mono text-sm pointer-coarse:h-11`}
          />
          <p className="basis-full text-sm text-soft tabular-nums">
            {t('length', { chars: link.length })}
            {isSample && <> · {linkTo(() => void copyEmbed())(embed('copy'))}</>}
          </p>
          <Button kind={isPrimary ? 'primary' : 'plain'} onClick={() => void copy()} icon={Copy}>
            {t('copy')}
          </Button>
        </div>
      )}
    </Card>
  )
}

const LOOPBACK = /^(?:localhost|127\.|\[::1)/

/** The figures of the session as a link, in words, and as a picture where the timeline is; undefined until they are computed. */
function useFigures() {
  const { t, format } = useView('share.picture')
  const policyWords = usePolicyWords()
  const tried = useTried()
  const state = useComputedState(REPORT_STEPS)
  const [figures, setFigures] = useState<{ link: string; said: string; svg: string | undefined }>()
  const figuresOf = () => {
    if (state === undefined || !isCurrent(state)) return undefined
    const facts = reportFactsOf(state, { day: today(), hasNames: false })
    if (facts === undefined) return undefined
    const { before, after } = facts.replayed
    const [from, to] = [before.costs.cached, after.costs.cached]
    const change = (to ?? 0) - (from ?? 0)
    // A change of 0 % says neither that this is best nor why.
    const isLeft = verdictOf(facts) === 'off' && facts.recommendation.state === 'do_not_mask'
    const figure = isLeft ? t('leave') : format.change(from, to)
    const explanation = t(isLeft ? 'why' : 'explanation', {
      before: format.money(from, to),
      after: format.money(to, from),
      turns: facts.measured.turns,
      smallest: facts.advice.smallestWindow,
    })
    const settings = t('settings', {
      policy: tried?.name ?? policyWords(state.policy),
      lost: forgottenOf(state)?.length ?? 0,
      model: facts.model.name,
    })
    const site = LOOPBACK.test(location.hostname) ? '' : siteUrl().replace(/^https?:\/\//, ' · ')
    const tone = change < 0 ? 'good' : change > 0 ? 'warn' : 'ink'
    return {
      link: figuresUrl(state, facts),
      said: `${figure} ${explanation} · ${settings}`,
      svg: pictureOf({ title: t('title'), figure, tone, explanation, settings: settings + site }),
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words change with the state only
  useEffect(() => {
    // The dialog is drawn first, since the figures of a long session take a moment.
    const timer = setTimeout(() => setFigures(figuresOf()), 50)
    return () => clearTimeout(timer)
  }, [state])
  return figures
}

/** The figures link: the figures and their picture, which is copied too; saved where the browser copies no pictures. */
function FiguresCard({ isPrimary }: { isPrimary: boolean }) {
  const { t, actions } = useView('share.figures')
  const picture = useTranslations('share.picture')
  const figures = useFigures()
  const names = { name: picture('name'), file: picture('file') }
  const { svg, said } = figures ?? {}
  return (
    <Card
      title={t('title')}
      preview={
        svg === undefined ? (
          <p className={`${PREVIEW} ${said === undefined ? 'aspect-[40/21]' : ''}`}>
            {said ?? t('pending')}
          </p>
        ) : (
          // biome-ignore lint/performance/noImgElement: it is made in the page
          <img
            src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
            alt={said}
            width={1200}
            height={630}
            className="h-auto w-full rounded-md border"
          />
        )
      }
      holds={t('holds')}
      lacks={t('lacks')}
    >
      {figures !== undefined && (
        <div className="mt-auto flex flex-wrap items-center justify-end gap-2">
          <p className="basis-full text-sm text-soft tabular-nums">
            {t('length', { chars: figures.link.length })} ·{' '}
            {linkTo(() => void open(figures.link, '_blank'))(t('present'))}
          </p>
          {svg !== undefined && (
            <Button onClick={() => void copyPicture(actions, svg, names)}>{picture('copy')}</Button>
          )}
          <Button
            kind={isPrimary ? 'primary' : 'plain'}
            onClick={() => void copyFigures(actions, figures.link, false)}
            icon={Copy}
          >
            {t('copy')}
          </Button>
        </div>
      )}
    </Card>
  )
}
