'use client'

import { Group, Panel, Separator } from 'react-resizable-panels'
import { useTranslations } from 'use-intl'
import { usePlaygroundState } from '../playground-context'
import { DiffView } from './diff-view'
import { OutputPane, type OutputPaneProps } from './output-pane'
import { SourcePane } from './source-pane'

/** The two texts side by side; a double click on the line between them makes them equal again. */
export function Panes({ messages }: OutputPaneProps) {
  const t = useTranslations('panes')
  const isCompared = usePlaygroundState((state) => state.view === 'diff')
  return (
    <div className="relative size-full min-w-0">
      {/* Kept below the comparison, which shows the same texts. */}
      <Group
        id="panes"
        orientation="horizontal"
        className={isCompared ? 'invisible' : ''}
        inert={isCompared}
      >
        <Panel id="source" defaultSize="50%" minSize="20%">
          <SourcePane />
        </Panel>
        <Separator
          aria-label={t('resize')}
          className="w-px bg-line transition-colors hover:bg-accent focus-visible:bg-accent"
        />
        <Panel id="output" defaultSize="50%" minSize="20%">
          <OutputPane messages={messages} />
        </Panel>
      </Group>
      {isCompared && <DiffView hasMessages={messages !== undefined} />}
    </div>
  )
}
