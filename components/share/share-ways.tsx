import { Copy } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { Fragment, type ReactNode, useEffect, useRef } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { batchNumber } from '@/lib/core/policy/policy'
import { NO_SETTINGS } from '@/lib/core/share/link/settings-link'
import { modelNameOf } from '@/lib/state/costs/chosen-model'
import { conversationOf, isCurrent } from '@/lib/state/document/selectors'
import { embedCode, linkSettingsOf, sharedFragment } from '@/lib/state/link/settings-url'
import { forgottenOf, riskOf } from '@/lib/state/uses/risk'
import { usePlaygroundState, useView } from '../playground-context'
import { copyText, saveFile } from '../save-file'
import { Button } from '../ui/button'
import { FIELD_SURFACE } from '../ui/popover'
import { FiguresButtons } from './figures-buttons'
import { pageUrl, siteUrl } from './page-url'
import { pictureOf, pngOf } from './picture'

/** Dialogs that the menu opens. */
export type Opened = 'export' | 'transcript'

/** The ways to share: the figures first, which are the main one of the user's own conversation. */
export function ShareWays(props: {
  /** Closes the menu. */
  readonly onDone: () => void
  readonly onOpen: (dialog: Opened) => void
}) {
  const { onDone, onOpen } = props
  const { t, store, actions } = useView('share')
  const figures = useTranslations('figures')
  const embed = useTranslations('embed')
  const origin = usePlaygroundState(({ source }) => source.origin.kind)
  const isSample = origin === 'sample'
  const isOwn = !isSample && origin !== 'none'
  const hasText = usePlaygroundState(isCurrent)
  /** Copies HTML that shows the sample and its figures in another page. */
  const copyEmbed = async () => {
    const code = embedCode(store.getState(), siteUrl(), embed('title'))
    await copyText(actions, code, 'copied_export', { name: embed('code') })
    onDone()
  }
  const others = [
    [t('exportHint'), `${t('exportButton')}…`, true, () => onOpen('export')],
    [t('transcriptHint'), t('transcriptButton'), hasText, () => onOpen('transcript')],
    [embed(isSample ? 'hint' : 'ownText'), embed('copy'), isSample, copyEmbed],
  ] as const
  const ways = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // A menu gives the focus to its first control, but these may have loaded after it opened.
    if (document.activeElement?.contains(ways.current))
      ways.current?.querySelector<HTMLElement>('button:enabled, input')?.focus()
  }, [])
  return (
    <div ref={ways}>
      <Way hint={figures('hint')}>
        <FiguresButtons isPrimary={isOwn} onDone={onDone} />
      </Way>
      <PictureWay onDone={onDone} />
      <div className="my-3 border-y py-3">
        <SettingsLink isPrimary={!isOwn} onCopied={onDone} />
      </div>
      <div className="flex flex-col gap-2.5">
        {others.map(([hint, label, isEnabled, onClick]) => (
          <Way key={label} hint={hint}>
            <Button disabled={!isEnabled} onClick={() => void onClick()}>
              {label}
            </Button>
          </Way>
        ))}
      </div>
    </div>
  )
}

const LOOPBACK = /^(?:localhost|127\.|\[::1)/

/** Copies the instrument of the main page as a picture; saves it where the browser copies no pictures. */
function PictureWay({ onDone }: { onDone: () => void }) {
  const { t, format, store, actions } = useView('share.picture')
  const isReady = usePlaygroundState(
    (state) => isCurrent(state) && riskOf(state)?.cost !== undefined,
  )
  const copy = async () => {
    const state = store.getState()
    const { before, cost } = riskOf(state) ?? {}
    const change = (cost ?? 0) - (before ?? 0)
    const { policy } = state
    const svg = pictureOf({
      title: t('title'),
      figure: format.change(before, cost),
      tone: change < 0 ? 'good' : change > 0 ? 'warn' : 'ink',
      explanation: t('explanation', {
        before: format.money(before, cost),
        after: format.money(cost, before),
        turns: conversationOf(state)?.turnCount ?? 0,
      }),
      settings: [
        t('settings', {
          window: policy.enabled ? policy.windowTurns : 0,
          batch: batchNumber(policy),
          lost: forgottenOf(state)?.length ?? 0,
          model: modelNameOf(state).name,
        }),
        ...(LOOPBACK.test(location.hostname) ? [] : [siteUrl().replace(/^https?:\/\//, '')]),
      ].join(' · '),
    })
    onDone()
    if (svg === undefined) return
    const picture = pngOf(svg)
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })])
      actions.notify('copied_export', { name: t('name') })
    } catch {
      saveFile(actions, t('file'), [await picture], 'image/png')
    }
  }
  if (usePathname() !== '/') return null
  return (
    <div className="mt-2.5">
      <Way hint={t('hint')}>
        <Button disabled={!isReady} onClick={() => void copy()}>
          {t('copy')}
        </Button>
      </Way>
    </div>
  )
}

function Way({ hint, children }: { hint: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
      <p className="min-w-40 flex-1 text-soft sm:min-w-52">{hint}</p>
      {children}
    </div>
  )
}

/** The settings link, its contents and its length. */
function SettingsLink({ isPrimary, onCopied }: { isPrimary: boolean; onCopied: () => void }) {
  const { t, store, actions } = useView('share.link')
  const format = useFormatter()
  const link = pageUrl(usePlaygroundState(sharedFragment))
  const settings = linkSettingsOf(store.getState())
  const parts = (['policy', 'model', 'view', 'sample', 'conversation', 'pinned'] as const).filter(
    (part) => part === 'policy' || settings[part] !== NO_SETTINGS[part],
  )
  const namesOf = (key: 'excludeTools' | 'errorPatterns') => [
    ...new Set([...settings.policy[key], ...(settings.pinned?.[key] ?? [])]),
  ]
  const tools = namesOf('excludeTools')
  const texts = namesOf('errorPatterns')
  const copy = async () => {
    if (await copyText(actions, link, 'copied_link', { chars: link.length })) onCopied()
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="text-soft">
        {t('carries', { parts: format.list(parts.map((part) => t(`parts.${part}`))) })} {t('opens')}
      </p>
      {tools.length > 0 && <Names title={t('tools', { n: tools.length })} names={tools} />}
      {texts.length > 0 && <Names title={t('texts', { n: texts.length })} names={texts} />}
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
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-soft tabular-nums">{t('length', { chars: link.length })}</p>
        <Button
          kind={isPrimary ? 'primary' : 'plain'}
          className="ml-auto"
          onClick={() => void copy()}
          icon={Copy}
        >
          {t('copy')}
        </Button>
      </div>
    </div>
  )
}

/** What the user wrote and the link contains. */
function Names({ title, names }: { title: string; names: readonly string[] }) {
  return (
    <p className="max-h-24 overflow-y-auto">
      {title}{' '}
      {names.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <code className="break-all font-mono text-sm">{name}</code>
        </Fragment>
      ))}
    </p>
  )
}
