import { useLayoutEffect, useRef } from 'react'
import type { PreviewPiece } from '@/lib/state/document/text-preview'
import { outputPreviewOf, textPreviewOf } from '@/lib/state/document/text-preview'
import '../monaco/editor.css'
import { MARK_OF, type Pane, textMark } from '../monaco/editor-session'
import { useDeferredState, useView } from '../playground-context'

/** Of the faint lines, in per cent. */
const WIDTHS = [18, 42, 64, 30, 72, 22, 14, 38, 58, 26, 66, 46]

/** The lines of a pane's text that its editor will show; faint lines in their place until the text is read. */
export function TextPreview({ pane }: { readonly pane: Pane }) {
  const { t } = useView('panes')
  const preview = useDeferredState(pane === 'output' ? outputPreviewOf : textPreviewOf)
  const text = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const shown = text.current?.querySelector<HTMLElement>(`[data-line="${preview?.shown}"]`)
    if (!text.current || !shown) return
    const { offsetTop } = shown
    const { clientHeight } = text.current
    // As the editors do.
    text.current.scrollTop = offsetTop < clientHeight * 0.8 ? 0 : offsetTop - clientHeight * 0.25
  }, [preview])
  if (preview === undefined)
    return (
      <div role="status" className="absolute inset-0 bg-raised pt-3.5 pl-17">
        <span className="sr-only">{t('loading')}</span>
        {WIDTHS.map((width) => (
          <div
            key={width}
            className="mb-3 h-2 rounded-full bg-line/70"
            style={{ width: `${width}%` }}
          />
        ))}
      </div>
    )
  return (
    <div
      ref={text}
      className="text-preview absolute inset-0 overflow-hidden whitespace-pre-wrap break-words bg-raised py-2 font-mono text-[12px] text-ink leading-5 [font-variant-ligatures:none]"
    >
      {preview.lines.map(({ number, reason, [pane]: pieces }) => {
        const mark = reason && MARK_OF[reason]
        const indent = pieces[0]?.text.search(/\S|$/) ?? 0
        return (
          <div
            key={number}
            data-line={number}
            className="view-line relative pr-3"
            style={{ paddingLeft: `calc(64px + ${indent}ch)`, textIndent: `-${indent}ch` }}
          >
            <span
              aria-hidden
              className={`absolute inset-y-0 left-0 w-9 text-right text-faint indent-0 mark-bar-${mark}`}
            >
              {number}
            </span>
            {mark && (
              <span aria-hidden className={`absolute top-0 left-9 mark-sign mark-sign-${mark}`} />
            )}
            {pieces.map((piece, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name, and no state
              <Piece key={at} piece={piece} pane={pane} />
            ))}
          </div>
        )
      })}
    </div>
  )
}

/** Strings, with a colon behind that of a key, and the words and numbers between them. */
const TOKENS = /("(?:[^"\\]|\\.)*"?)(\s*:)?|\b(true|false|null)\b|[^"tfn]+|[tfn]/g

function Piece({ piece: { text, reason }, pane }: { piece: PreviewPiece; pane: Pane }) {
  const mark = reason && textMark(MARK_OF[reason], pane)
  if (mark !== undefined && mark !== 'mark-text-kept') return <span className={mark}>{text}</span>
  return (
    <span className={mark}>
      {Array.from(text.matchAll(TOKENS), ([token, string, colon, word], at) => {
        if (string === undefined && word === undefined) return token
        const colour = word ? 'text-soft' : colon ? 'text-key' : 'text-str'
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no other name, and no state
          <span key={at} className={colour}>
            {string ?? word}
            {colon && <span className="text-ink">{colon}</span>}
          </span>
        )
      })}
    </span>
  )
}
