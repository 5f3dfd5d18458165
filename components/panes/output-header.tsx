import { EllipsisVertical } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { LINK_VIEWS } from '@/lib/core/share/link/settings-link'
import type { Values } from '@/lib/core/words/words'
import { isWritten } from '@/lib/state/costs/tried-mechanism'
import { isTooLargeToEdit } from '@/lib/state/document/large-text'
import {
  currentOutputPiecesOf,
  isText,
  rememberView,
  viewOf,
} from '@/lib/state/document/output-view'
import { isCurrent } from '@/lib/state/document/selectors'
import { allDecisionsOf } from '@/lib/state/policy/policy-view'
import { useDeferredState, usePlaygroundState, useView } from '../playground-context'
import { copyText, markedName, saveBlob, textBlob } from '../save-file'
import { useIsNarrow } from '../shell/use-is-narrow'
import { Button } from '../ui/button'
import { Menu, MenuItem } from '../ui/menu'
import { SegmentedControl } from '../ui/segmented-control'
import { IconButton } from '../ui/tooltip'
import { LazyChatDialog } from './lazy-chat-dialog'
import { MaximiseButton, type Maximised } from './maximised'

/** The view that is shown: without editors, the messages stand for the texts. */
export function useShownView() {
  const isNarrow = useIsNarrow()
  const isLarge = useDeferredState(isTooLargeToEdit)
  const hasEditors = !isNarrow && !isLarge
  const view = usePlaygroundState(viewOf)
  return { hasEditors, view: hasEditors || !isText(view) ? view : 'messages' }
}

/** Header of the output pane: the views as tabs, copy and download. */
export function OutputHeader(props: {
  readonly title: string
  /** Undefined if the pane has the full size already. */
  readonly maximised?: Maximised | undefined
  /** Controls of the view over both panes, in the place of the left one. */
  readonly children?: ReactNode
}) {
  const { title, maximised, children } = props
  const { t, actions } = useView('panes')
  const { hasEditors, view } = useShownView()
  const costView = usePlaygroundState((state) => state.costView)
  const views = LINK_VIEWS.filter(
    (one) => one !== 'mechanisms' && (hasEditors || one === 'messages' || !isText(one)),
  )
  return (
    <header className={PANE_HEADER}>
      <h2 className="sr-only">{title}</h2>
      {/* As wide as the other pane, so that the choice of the view stays in its place. */}
      {children !== undefined && (
        <div className="flex w-[calc(50%+5px)] shrink-0 items-center gap-1.5">{children}</div>
      )}
      <div className="@container flex min-w-0 flex-1 items-center gap-2.5">
        <SegmentedControl
          label={t('view')}
          // A part of the cost, which has a choice of its own.
          value={view === 'mechanisms' ? 'cost' : view}
          options={views.map((value) => ({ value, label: t(value) }))}
          onValueChange={(chosen) => {
            rememberView(() => localStorage, chosen)
            actions.setView(chosen === 'cost' ? (costView ?? chosen) : chosen)
          }}
        />
        <div className="ml-auto flex shrink-0 items-center gap-1.5">
          {isText(view) && <OutputActions maximised={maximised} />}
          {maximised !== undefined && (
            <span className={isText(view) ? '@max-md:hidden' : ''}>
              <MaximiseButton pane="output" maximised={maximised} />
            </span>
          )}
        </div>
      </div>
    </header>
  )
}

/** Copies and saves the masked text; a narrow header has all of it in the menu. */
function OutputActions({ maximised }: { readonly maximised: Maximised | undefined }) {
  const { t, store, actions } = useView('panes')
  const isSent = usePlaygroundState(isWritten)
  // Undefined before it is opened for the first time.
  const [isSaving, setSaving] = useState<boolean>()
  // Output of an older text or of older settings is shown, but cannot be copied or saved.
  const hasOutput = usePlaygroundState(
    (state) => isCurrent(state) && allDecisionsOf(state) !== undefined,
  )
  /** Gives the masked text, and what is masked in the whole text, of which the panes show one conversation. */
  const withOutput =
    (use: (pieces: readonly string[], counts: Values) => Promise<unknown>) => () => {
      const pieces = currentOutputPiecesOf(store.getState())
      const decisions = allDecisionsOf(store.getState()) ?? []
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
    const name = markedName(read?.source.name, 'masked', usual, isSent ? 'json' : undefined)
    saveBlob(name, await textBlob(pieces, 'application/json'))
    actions.notify('downloaded_output', { name, ...counts })
  }
  const buttons = [
    [t('copy'), withOutput(copy)],
    [t('download'), withOutput(download)],
  ] as const
  return (
    <>
      {buttons.map(([label, press]) => (
        <Button
          key={label}
          kind="ghost"
          size="small"
          className="@max-lg:hidden"
          disabled={!hasOutput}
          onClick={press}
        >
          {label}
        </Button>
      ))}
      <Menu
        align="end"
        className="w-72"
        trigger={
          <IconButton label={t('downloadMore')} disabled={!hasOutput} icon={EllipsisVertical} />
        }
      >
        {buttons.map(([label, press]) => (
          <MenuItem key={label} onSelect={press}>
            {label}
          </MenuItem>
        ))}
        {!isSent && (
          <MenuItem description={t('chat.itemNote')} onSelect={() => setSaving(true)}>
            {t('chat.item')}
          </MenuItem>
        )}
        {maximised !== undefined && (
          <MenuItem onSelect={() => maximised.toggle('output')}>{t('maximise')}</MenuItem>
        )}
      </Menu>
      {isSaving !== undefined && <LazyChatDialog isOpen={isSaving} onOpenChange={setSaving} />}
    </>
  )
}

export const PANE_HEADER =
  '@container flex h-10 shrink-0 items-center gap-2.5 border-b bg-paper pr-3 pl-4 text-sm'
