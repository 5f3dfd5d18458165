import { FolderOpen, Redo2, Undo2 } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import type { Messages } from '@/lib/messages/languages'
import { useDrafts } from '../drafts/drafts-context'
import { usePlaygroundState, useView } from '../playground-context'
import { ShareButtons } from '../share/share-buttons'
import { Button, IconOnPhone } from '../ui/button'
import { Kbd } from '../ui/kbd'
import { IconButton } from '../ui/tooltip'

/** The header: the open document and its actions. */
export function HeaderBar({ children }: { children: ReactNode }) {
  const { t } = useView('shell')
  const drafts = useDrafts()
  return (
    <header className="flex print:hidden min-h-12 flex-wrap items-center justify-end gap-x-3 gap-y-1 max-sm:gap-x-1.5 border-line border-b px-6 py-1.5 max-lg:px-4 lg:flex-nowrap">
      <h1 className="whitespace-nowrap font-semibold text-lg tracking-tight max-sm:sr-only">
        {t('product')}{' '}
        <span className="font-normal text-faint sm:max-xl:hidden">{t('playground')}</span>
      </h1>
      <div className="flex min-h-8 min-w-0 flex-1 items-center gap-2 max-[22rem]:basis-full max-sm:has-[>div]:basis-full sm:max-lg:has-[>div]:min-w-min">
        {children}
      </div>
      <HistoryButtons />
      <Button title={t('openTip')} aria-haspopup="dialog" onClick={() => drafts.show('open')}>
        <IconOnPhone icon={FolderOpen}>{t('open')}</IconOnPhone>
      </Button>
      <ShareButtons />
    </header>
  )
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
    <div className="ml-auto flex items-center">
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
            {...{ onClick: act, icon }}
            className="max-sm:disabled:hidden"
          />
        )
      })}
    </div>
  )
}
