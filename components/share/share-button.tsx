'use client'

import dynamic from 'next/dynamic'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'
import { Popover } from '../ui/popover'
import type { ExportDialogProps } from './export-dialog'
import { FixtureButton } from './fixture-button'
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

/** Dialogs of their own; their code comes with the first opening. */
type Opened = 'export' | 'transcript'

/** Ways to take the policy along: a link with the settings first. */
export function ShareButton() {
  const t = useTranslations('share')
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [opened, setOpened] = useState<{ readonly name: Opened; readonly isOpen: boolean }>()
  const hasText = usePlaygroundState(({ read }) => read !== undefined)
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
    <div className="flex items-center justify-between gap-3">
      <p className="text-soft">{hint}</p>
      {children}
    </div>
  )
}
