import { Ellipsis, History, Monitor, Redo2, Undo2 } from 'lucide-react'
import { useTheme } from 'next-themes'
import { Fragment, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Messages } from '@/lib/messages/languages'
import { useDrafts } from '../drafts/drafts-context'
import { loadWithTexts } from '../load-with-texts'
import { usePlayground, usePlaygroundState, useView } from '../playground-context'
import { LazyShare } from '../share/lazy-share'
import { Button } from '../ui/button'
import { IconButton } from '../ui/icon-button'
import { Kbd } from '../ui/kbd'
import { Menu, MenuChoice } from '../ui/menu'
import { OpenMenu, SamplesMenu } from './open-menu'

/** The header: the open document and its actions. A narrow one has a second row, shown on demand. */
export function HeaderBar({ children }: { children: ReactNode }) {
  const t = useTranslations('shell')
  const d = useTranslations('drafts')
  const drafts = useDrafts()
  const showRecent = () => drafts.show('recent')
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
          <Button kind="ghost" title={d('recentTip')} onClick={showRecent}>
            {d('recent')}
          </Button>
        </span>
        <span className="xl:hidden">
          <IconButton
            label={d('recent')}
            tooltip={d('recentTip')}
            onClick={showRecent}
            icon={History}
          />
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
          icon={Ellipsis}
        />
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
    <Menu align="end" trigger={<IconButton label={t('theme')} icon={Monitor} />}>
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

/** Buttons that are pressed several times, or that open a menu. */
const STAYING = '[data-is-repeated], [aria-haspopup]'

/**
 * The second row of a narrow header. It closes by Escape, by an action in it, by a press elsewhere and when another
 * document is opened. A focus in it, or one that is lost, goes to the button that opens it.
 */
function useMore() {
  const [isOpen, setOpen] = useState(false)
  const row = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const { store } = usePlayground()
  useLayoutEffect(() => {
    if (!isOpen) return
    const close = () => setOpen(false)
    let frame = 0
    // A menu needs its button until it has left.
    const closeAfterMenu = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(
        document.querySelector('[role=menu]') === null ? close : closeAfterMenu,
      )
    }
    const stopWatching = store.subscribe(({ source }, { source: before }) => {
      if (source.document !== before.document || source.name !== before.name) closeAfterMenu()
    })
    const onClick = ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || button.current?.contains(target)) return
      if (target.closest('[role=menu]')) {
        if (target.closest('[role^=menuitem]')) closeAfterMenu()
      } else if (!row.current?.contains(target)) close()
      else if (target.closest('button') && !target.closest(STAYING)) close()
    }
    const onKeyDown = ({ key, target }: KeyboardEvent) => {
      const isInPopup = target instanceof Element && target.closest('[role=menu], [role=dialog]')
      const isMenuOpen = row.current?.querySelector('[aria-haspopup][aria-expanded=true]')
      if (key === 'Escape' && !isInPopup && !isMenuOpen) close()
    }
    const ending = new AbortController()
    const options = { capture: true, signal: ending.signal }
    // Before the action runs: what it opens gives the focus back to where it was.
    addEventListener('click', onClick, options)
    // Before a tooltip uses the key.
    addEventListener('keydown', onKeyDown, options)
    const current = row.current
    return () => {
      cancelAnimationFrame(frame)
      stopWatching()
      ending.abort()
      const focused = document.activeElement
      if (focused === document.body || current?.contains(focused)) button.current?.focus()
    }
  }, [isOpen, store])
  return { isOpen, toggle: () => setOpen((before) => !before), row, button }
}

type Step = keyof Messages['shell']['steps']

/** Undo and redo of settings and texts. Each label names the step. */
function HistoryButtons() {
  const { t, actions } = useView('shell')
  const past = usePlaygroundState(({ history }) => history.past.at(-1)?.label) as Step | undefined
  const next = usePlaygroundState(({ history }) => history.future.at(-1)?.label) as Step | undefined
  const undo = past === undefined ? t('undo') : t('undoStep', { step: t(`steps.${past}`) })
  const redo = next === undefined ? t('redo') : t('redoStep', { step: t(`steps.${next}`) })
  const steps = [
    [undo, actions.undo, Undo2, past, ['Ctrl', 'Z']],
    [redo, actions.redo, Redo2, next, ['Ctrl', 'Shift', 'Z']],
  ] as const
  return (
    <div className="flex items-center" data-is-repeated>
      {steps.map(([label, act, icon, step, keys]) => {
        const shownKeys = keys.map((key) => (
          <Fragment key={key}>
            {' '}
            <Kbd>{key}</Kbd>
          </Fragment>
        ))
        return (
          <IconButton
            key={keys.join()}
            label={label}
            tooltip={[label, ...shownKeys]}
            disabled={step === undefined}
            onClick={act}
            icon={icon}
          />
        )
      })}
    </div>
  )
}

const Loaded = loadWithTexts(async () => (await import('./paste-dialog')).PasteDialog)

/** The button to paste; its dialog loads when it is first opened. */
function LazyPasteDialog() {
  const t = useTranslations('shell')
  const button = useRef<HTMLButtonElement>(null)
  // Undefined before it is opened for the first time.
  const [isOpen, setOpen] = useState<boolean>()
  return (
    <>
      <Button ref={button} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('paste')}
      </Button>
      {isOpen !== undefined && (
        <Loaded isOpen={isOpen} onOpenChange={setOpen} returnFocusTo={button} />
      )}
    </>
  )
}
