'use client'

import dynamic from 'next/dynamic'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { decisionsOf, isCurrent } from '@/lib/state/document/selectors'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { saveBlob } from '../save-file'
import { Button } from '../ui/button'
import { Popover } from '../ui/popover'
import type { ExportDialogProps } from './export-dialog'
import { FiguresButtons } from './figures-buttons'
import { SettingsLink } from './settings-link'
import type { TranscriptDialogProps } from './transcript-dialog'

const LazyExport = dynamic<ExportDialogProps>(
  () => import('./export-dialog').then(({ ExportDialog }) => ExportDialog),
  { ssr: false },
)

const LazyTranscript = dynamic<TranscriptDialogProps>(
  () => import('./transcript-dialog').then(({ TranscriptDialog }) => TranscriptDialog),
  { ssr: false },
)

/** Dialogs that load when first opened. */
type Opened = 'export' | 'transcript'

/** Menu to share the policy, with the settings link first. */
export function ShareButton() {
  const t = useTranslations('share')
  const figures = useTranslations('figures')
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [opened, setOpened] = useState<{ readonly name: Opened; readonly isOpen: boolean }>()
  const hasText = usePlaygroundState(isCurrent)
  const propsOf = (name: Opened) => ({
    isOpen: opened?.name === name && opened.isOpen,
    onOpenChange: (isNowOpen: boolean) => setOpened({ name, isOpen: isNowOpen }),
    returnFocusTo: button,
  })
  const open = (name: Opened) => {
    setOpen(false)
    setOpened({ name, isOpen: true })
  }
  return (
    <>
      <Popover
        title={t('title')}
        align="end"
        className="w-100"
        isOpen={isOpen}
        onOpenChange={setOpen}
        trigger={
          <Button ref={button} kind="primary">
            {t('button')}
          </Button>
        }
      >
        <SettingsLink onCopied={() => setOpen(false)} />
        <div className="mt-4 flex flex-col gap-2.5 border-t pt-3">
          <Way hint={figures('hint')}>
            <FiguresButtons onDone={() => setOpen(false)} />
          </Way>
          <Way hint={t('exportHint')}>
            <Button onClick={() => open('export')}>{t('exportButton')}…</Button>
          </Way>
          <Way hint={t('transcriptHint')}>
            <Button disabled={!hasText} onClick={() => open('transcript')}>
              {t('transcriptButton')}
            </Button>
          </Way>
          <Way hint={t('fixtureHint')}>
            <FixtureButton />
          </Way>
        </div>
      </Popover>
      {opened?.name === 'export' && <LazyExport {...propsOf('export')} />}
      {opened?.name === 'transcript' && <LazyTranscript {...propsOf('transcript')} />}
    </>
  )
}

function Way({ hint, children }: { readonly hint: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
      <p className="min-w-40 flex-1 text-soft">{hint}</p>
      {children}
    </div>
  )
}

/** Saves a test fixture for other implementations: input, policy, expected output and decisions. */
function FixtureButton() {
  const t = useTranslations('share')
  const { store, actions } = usePlayground()
  const isReady = usePlaygroundState(
    (state) => isCurrent(state) && decisionsOf(state) !== undefined,
  )
  const save = async () => {
    const { fixtureOf } = await import('@/lib/state/files/fixture-file')
    const state = store.getState()
    const zip = fixtureOf(state)
    if (zip === undefined) return
    const stem = state.read?.source.name.replace(/\.[A-Za-z0-9]{1,8}$/, '') || 'conversation'
    const name = t('fixtureName', { stem })
    saveBlob(name, new Blob([zip], { type: 'application/zip' }))
    actions.notify('downloaded', { name })
  }
  return (
    <Button disabled={!isReady} onClick={() => void save()}>
      {t('fixtureButton')}
    </Button>
  )
}
