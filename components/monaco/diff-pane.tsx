'use client'

import type { editor } from 'monaco-editor/editor'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { usePlayground } from '../playground-context'
import { fontFamily, SHARED_OPTIONS } from './options'
import { sessionOf } from './session'
import { monaco } from './setup'

/** The two texts compared; it shows the panes' own models, so it is live and costs no second copy. */
export function DiffPane() {
  const t = useTranslations('panes')
  const session = sessionOf(usePlayground())
  const container = useRef<HTMLDivElement>(null)
  const label = t('diffLabel')
  useEffect(() => {
    const original = session.editors.source?.getModel()
    const modified = session.editors.output?.getModel()
    if (container.current === null || !original || !modified) return
    const diff = monaco.editor.createDiffEditor(container.current, {
      ...(SHARED_OPTIONS as editor.IDiffEditorConstructionOptions),
      fontFamily: fontFamily(),
      readOnly: true,
      originalEditable: false,
      domReadOnly: true,
      tabFocusMode: true,
      renderSideBySide: true,
      useInlineViewWhenSpaceIsLimited: true,
      renderSideBySideInlineBreakpoint: 700,
      enableSplitViewResizing: true,
      hideUnchangedRegions: { enabled: true, contextLineCount: 3, minimumLineCount: 4 },
      diffAlgorithm: 'advanced',
      maxComputationTime: 3000,
      renderMarginRevertIcon: false,
      renderOverviewRuler: false,
      renderIndicators: false,
      ignoreTrimWhitespace: false,
      originalAriaLabel: label,
      modifiedAriaLabel: label,
    })
    diff.setModel({ original, modified })
    return () => {
      diff.setModel(null)
      diff.dispose()
    }
  }, [session, label])
  return <div ref={container} className="size-full" />
}
