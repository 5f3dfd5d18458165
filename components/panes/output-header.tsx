import { ChevronDown, Copy, Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { LINK_VIEWS } from '@/lib/core/share/link/settings-link'
import type { Values } from '@/lib/core/words/words'
import { isTooLargeToEdit } from '@/lib/state/document/large-text'
import { currentOutputPiecesOf, rememberView, viewOf } from '@/lib/state/document/output-view'
import { isCurrent } from '@/lib/state/document/selectors'
import { decisionsOf } from '@/lib/state/policy/policy-view'
import { useDeferredState, usePlaygroundState, useView } from '../playground-context'
import { copyText, markedName, saveBlob, textBlob } from '../save-file'
import { SHARE_BUTTON_ID } from '../share/lazy-share'
import { Button } from '../ui/button'
import { Menu, MenuItem } from '../ui/menu'
import { SegmentedControl } from '../ui/segmented-control'
import { LazyChatDialog } from './lazy-chat-dialog'
import { MaximiseButton, type Maximised } from './maximised'

/** Header of the output pane: view, copy and download. */
export function OutputHeader(props: {
  readonly title: string
  /** Undefined if the pane has the full size already. */
  readonly maximised?: Maximised | undefined
  /** Controls of the view, before the choice of the view. */
  readonly children?: ReactNode
}) {
  const { title, maximised, children } = props
  const { t, store, actions } = useView('panes')
  // Undefined before it is opened for the first time.
  const [isSaving, setSaving] = useState<boolean>()
  const view = usePlaygroundState(viewOf)
  const isLarge = useDeferredState(isTooLargeToEdit)
  // Output of an older text is shown, but cannot be copied or saved.
  const hasOutput = usePlaygroundState(
    (state) => isCurrent(state) && decisionsOf(state) !== undefined,
  )
  /** Gives the masked text, and what is masked in the whole text, of which the panes show one conversation. */
  const withOutput =
    (use: (pieces: readonly string[], counts: Values) => Promise<unknown>) => () => {
      const pieces = currentOutputPiecesOf(store.getState())
      const decisions = decisionsOf(store.getState()) ?? []
      const results = decisions.flat().filter(({ action }) => action === 'mask').length
      if (pieces !== undefined) void use(pieces, { conversations: decisions.length, results })
    }
  const copy = (pieces: readonly string[], counts: Values) => {
    const chars = pieces.reduce((sum, { length }) => sum + length, 0)
    return copyText(actions, pieces, 'copied', { chars, ...counts })
  }
  const download = async (pieces: readonly string[], counts: Values) => {
    const { read } = store.getState()
    const usual = read?.model.layout === 'jsonl' ? 'jsonl' : 'json'
    const name = markedName(read?.source.name, 'masked', usual)
    saveBlob(name, await textBlob(pieces, 'application/json'))
    actions.notify('downloaded_output', { name, ...counts })
  }
  // With the controls of a view there is room for words in a wider header only.
  const [iconClass, wordClass] =
    children === undefined
      ? ['size-3.5 @lg:hidden', '@max-lg:sr-only']
      : ['size-3.5 @4xl:hidden', '@max-4xl:sr-only']
  return (
    <PaneHeader title={title}>
      {children}
      {!isLarge && (
        <SegmentedControl
          label={t('view')}
          value={view}
          options={LINK_VIEWS.map((value) => ({ value, label: t(value) }))}
          onValueChange={(chosen) => {
            rememberView(() => localStorage, chosen)
            actions.setView(chosen)
          }}
        />
      )}
      <Button kind="ghost" size="small" disabled={!hasOutput} onClick={withOutput(copy)}>
        <Copy className={iconClass} aria-hidden />
        <span className={wordClass}>{t('copy')}</span>
      </Button>
      <div className="flex">
        <Button
          kind="ghost"
          size="small"
          className="rounded-r-none pr-1"
          disabled={!hasOutput}
          onClick={withOutput(download)}
        >
          <Download className={iconClass} aria-hidden />
          <span className={wordClass}>{t('download')}</span>
        </Button>
        <Menu
          align="end"
          className="w-72"
          trigger={
            <Button
              kind="ghost"
              size="small"
              aria-label={t('downloadMore')}
              disabled={!hasOutput}
              className="w-6 rounded-l-none px-0! pointer-coarse:w-9"
              icon={ChevronDown}
            />
          }
        >
          <MenuItem description={t('chat.itemNote')} onSelect={() => setSaving(true)}>
            {t('chat.item')}
          </MenuItem>
          <MenuItem
            description={t('exportNote')}
            onSelect={() => document.getElementById(SHARE_BUTTON_ID)?.click()}
          >
            {t('export')}
          </MenuItem>
        </Menu>
        {isSaving !== undefined && <LazyChatDialog isOpen={isSaving} onOpenChange={setSaving} />}
      </div>
      {maximised !== undefined && <MaximiseButton pane="output" maximised={maximised} />}
    </PaneHeader>
  )
}

/** Header of a pane: title on the left, actions on the right. */
export function PaneHeader(props: {
  readonly title: string
  readonly note?: ReactNode
  readonly children?: ReactNode
}) {
  const { title, note, children } = props
  return (
    <header className="@container flex h-10 shrink-0 items-center gap-2.5 border-b bg-paper pr-3 pl-4 text-sm">
      {/* Hidden rather than squeezed to a single letter. */}
      <h2 className="@max-sm:sr-only truncate whitespace-nowrap font-semibold text-ink">{title}</h2>
      {note !== undefined && <span className="min-w-0 truncate text-soft">{note}</span>}
      <div className="ml-auto flex shrink-0 items-center gap-1.5">{children}</div>
    </header>
  )
}
