import { useCallback, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { EditorPaneProps } from '../monaco/editor-pane'
import { LazyEditorPane } from '../monaco/lazy-panes'
import { cameByTab, useWindowEvents } from '../use-events'

interface PaneBodyProps extends Omit<EditorPaneProps, 'onReady'> {
  /** Shown over the editor; undefined if there is a text. */
  readonly empty: string | undefined
  readonly isDimmed?: boolean
}

const LINES = [18, 42, 64, 30, 72, 22, 14, 38, 58, 26, 66, 46]

/** An editor, or a placeholder while it loads or has no text. */
export function PaneBody({ empty, isDimmed = false, ...editor }: PaneBodyProps) {
  const t = useTranslations('panes')
  // How Tab leaves the editor, after the user entered it with Tab. The editor's label says the same.
  const [isHinting, setHinting] = useState(false)
  useWindowEvents({ pointerdown: () => setHinting(false) }, { isCapture: true })
  const hinting = {
    onFocus: () => setHinting((isStill) => isStill || cameByTab()),
    onBlur: () => setHinting(false),
  }
  const [isReady, setReady] = useState(false)
  // Shown once its first text is laid out and scrolled to the selection.
  const onReady = useCallback(() => {
    requestAnimationFrame(() => requestAnimationFrame(() => setReady(true)))
  }, [])
  return (
    <div className="relative min-h-0 flex-1 bg-raised" {...hinting}>
      <div className={`absolute inset-0 ${isDimmed ? 'faded' : ''} ${isReady ? '' : 'invisible'}`}>
        <LazyEditorPane {...editor} onReady={onReady} />
      </div>
      {/* Faint lines in place of the text while it loads. */}
      {!isReady && (
        <div role="status" className="absolute inset-0 bg-raised pt-3.5 pl-17">
          <span className="sr-only">{t('loading')}</span>
          {LINES.map((width) => (
            <div
              key={width}
              className="mb-3 h-2 rounded-full bg-line/70"
              style={{ width: `${width}%` }}
            />
          ))}
        </div>
      )}
      {isReady && empty !== undefined && (
        <p className="pointer-events-none absolute top-2 right-6 left-17 text-base text-faint leading-5">
          {empty}
        </p>
      )}
      {editor.pane === 'source' && (
        <p
          className={`pointer-events-none absolute right-4 bottom-3 rounded-md bg-ink px-2.5 py-1.5 text-paper text-sm ${isHinting ? '' : 'invisible'}`}
        >
          {t('leaveHint')}
        </p>
      )}
    </div>
  )
}
