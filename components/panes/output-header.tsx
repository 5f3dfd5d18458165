'use client'

import { useTranslations } from 'use-intl'
import { decisionsOf } from '@/lib/state/selectors'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'
import { SegmentedControl } from '../ui/segmented-control'
import { PaneHeader } from './pane-header'
import { SaveMenu } from './save-menu'
import { copyOutput, downloadOutput } from './save-output'

export interface OutputHeaderProps {
  readonly title: string
  /** Whether the messages can be shown. */
  readonly hasMessages: boolean
}

/** What is sent: how it is shown, and the ways to take it away. */
export function OutputHeader({ title, hasMessages }: OutputHeaderProps) {
  const t = useTranslations('panes')
  const playground = usePlayground()
  const view = usePlaygroundState((state) => state.view)
  // What belongs to an older text is shown, and said to be old, but not handed out.
  const hasOutput = usePlaygroundState(
    (state) => decisionsOf(state) !== undefined && state.reading.state !== 'failed',
  )
  const views = hasMessages
    ? (['masked', 'diff', 'messages'] as const)
    : (['masked', 'diff'] as const)
  return (
    <PaneHeader title={title}>
      <SegmentedControl
        label={t('view')}
        value={view}
        options={views.map((value) => ({ value, label: t(value) }))}
        onValueChange={playground.actions.setView}
      />
      <Button
        kind="ghost"
        size="small"
        disabled={!hasOutput}
        onClick={() => void copyOutput(playground)}
      >
        {t('copy')}
      </Button>
      <div className="flex">
        <Button
          kind="ghost"
          size="small"
          className="rounded-r-none pr-1"
          disabled={!hasOutput}
          onClick={() => downloadOutput(playground)}
        >
          {t('download')}
        </Button>
        <SaveMenu isDisabled={!hasOutput} />
      </div>
    </PaneHeader>
  )
}
