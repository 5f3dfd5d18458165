'use client'

import { useEffect, useRef } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import { useTranslations } from 'use-intl'
import { isTooLargeToEdit } from '@/lib/state/document/large-text'
import { viewOf } from '@/lib/state/document/output-view'
import { useDeferredState, usePlaygroundState } from '../playground-context'
import { ComparedView } from './compared-view'
import { useMaximised } from './maximised'
import { OutputPane } from './output-pane'
import { SourcePane } from './source-pane'

/** The two texts side by side, or one of them. A double click on the separator makes them equally wide. */
export function Panes() {
  const t = useTranslations('panes')
  const container = useRef<HTMLDivElement>(null)
  const maximised = useMaximised(container)
  const isCompared = usePlaygroundState((state) => viewOf(state) === 'diff')
  const isFirst = useRef(true)
  // The other header has the focus of the one that is covered or gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the headers change places
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    // By then the choice knows its options, and with them the one that arrow keys leave.
    const frame = requestAnimationFrame(() => keepFocus(container.current))
    return () => cancelAnimationFrame(frame)
  }, [isCompared])
  if (useDeferredState(isTooLargeToEdit)) return <OutputPane />
  return (
    <div ref={container} className="relative size-full min-w-0">
      {/* Stays mounted below the comparison, which uses the same models. */}
      <Group
        id="panes"
        orientation="horizontal"
        className={isCompared ? 'invisible' : ''}
        inert={isCompared}
      >
        <Panel id="source" defaultSize="50%" minSize="20%">
          <SourcePane maximised={maximised} />
        </Panel>
        <Separator
          aria-label={t('resize')}
          className={`w-px bg-line transition-colors hover:bg-accent focus-visible:bg-accent ${maximised.pane === undefined ? '' : 'invisible'}`}
        />
        <Panel id="output" defaultSize="50%" minSize="20%">
          <OutputPane maximised={maximised} />
        </Panel>
      </Group>
      {isCompared && <ComparedView />}
    </div>
  )
}

/** Gives a focus that was lost to the choice of the view that is shown. */
function keepFocus(panes: HTMLElement | null): void {
  const focused = document.activeElement
  if (focused !== null && focused !== document.body && focused.closest('[inert]') === null) return
  for (const choice of panes?.querySelectorAll<HTMLElement>(
    'header [role=group] > [aria-pressed=true]',
  ) ?? [])
    if (choice.closest('[inert]') === null) choice.focus()
}
