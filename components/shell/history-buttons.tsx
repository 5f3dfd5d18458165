'use client'

import { Redo2, Undo2 } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { Messages } from '@/lib/messages/languages'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { IconButton } from '../ui/icon-button'
import { Kbd } from '../ui/kbd'

type Step = keyof Messages['shell']['steps']

/** Undo and redo of settings and texts. Each label names the step. */
export function HistoryButtons() {
  const t = useTranslations('shell')
  const { actions } = usePlayground()
  const past = usePlaygroundState(({ history }) => history.past.at(-1)?.label) as Step | undefined
  const future = usePlaygroundState(({ history }) => history.future.at(-1)?.label) as
    | Step
    | undefined
  const undoLabel = past === undefined ? t('undo') : t('undoStep', { step: t(`steps.${past}`) })
  const redoLabel = future === undefined ? t('redo') : t('redoStep', { step: t(`steps.${future}`) })
  return (
    <div className="flex items-center" data-is-repeated>
      <IconButton
        label={undoLabel}
        tooltip={
          <>
            {undoLabel} <Kbd>Ctrl</Kbd> <Kbd>Z</Kbd>
          </>
        }
        disabled={past === undefined}
        onClick={actions.undo}
      >
        <Undo2 aria-hidden />
      </IconButton>
      <IconButton
        label={redoLabel}
        tooltip={
          <>
            {redoLabel} <Kbd>Ctrl</Kbd> <Kbd>Shift</Kbd> <Kbd>Z</Kbd>
          </>
        }
        disabled={future === undefined}
        onClick={actions.redo}
      >
        <Redo2 aria-hidden />
      </IconButton>
    </div>
  )
}
