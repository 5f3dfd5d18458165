import { Combobox } from '@base-ui/react/combobox'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react'
import { useRef, useState } from 'react'
import { useDeferredState, usePlaygroundState, useView } from '@/components/playground-context'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { FIELD_SURFACE, Popover } from '@/components/ui/popover'
import { calibrationOf } from '@/lib/state/costs/shown-session'
import {
  type ConversationRow,
  conversationRowsOf,
  openingConversationOf,
  searchRows,
  sumRows,
} from '@/lib/state/document/conversation-rows'
import { conversationOf } from '@/lib/state/document/selectors'
import { useWords } from '../language-provider'
import { useStepKeys } from '../shell/use-shortcuts'

/** Chooses the conversation to show. Renders nothing if the document has only one. */
export function ConversationPicker() {
  const { t, actions, store } = useView('reading.picker')
  const [isOpen, setIsOpen] = useState(false)
  const count = usePlaygroundState((state) => state.read?.model.conversations.length ?? 0)
  const at = usePlaygroundState((state) => state.conversation)
  const opening = usePlaygroundState((state) => conversationOf(state)?.opening ?? '')

  const step = (by: -1 | 1) => {
    const { conversation, read } = store.getState()
    const next = conversation + by
    if (read?.model.conversations[next] !== undefined) actions.chooseConversation(next)
  }
  useStepKeys('[]', count > 1, step)

  if (count < 2) return null
  return (
    <div className="flex min-w-0 items-center max-xl:shrink-0">
      <IconButton
        label={t('previous')}
        tooltip={t('previousTip')}
        disabled={at === 0}
        onClick={() => step(-1)}
        icon={ChevronLeft}
      />
      <Popover
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title={t('title', { count })}
        className="w-160"
        trigger={
          <Button
            kind="ghost"
            size="small"
            className="min-w-0 shrink!"
            aria-label={t('triggerLabel', {
              position: at + 1,
              count,
              opening: opening || t('noOpening'),
            })}
          >
            <span className="shrink-0 text-ink">{t('trigger', { position: at + 1, count })}</span>
            <span className="max-w-56 truncate max-xl:hidden">{opening}</span>
            <ChevronDown aria-hidden className="size-3.5 shrink-0" />
          </Button>
        }
      >
        <ConversationOptions
          onChoose={(index) => {
            actions.chooseConversation(index)
            setIsOpen(false)
          }}
        />
      </Popover>
      <IconButton
        label={t('next')}
        tooltip={t('nextTip')}
        disabled={at === count - 1}
        onClick={() => step(1)}
        icon={ChevronRight}
      />
    </div>
  )
}

const ROW_HEIGHT = 46
const COLUMNS =
  'grid grid-cols-[minmax(0,1fr)_repeat(5,3.75rem)] gap-x-2 max-sm:grid-cols-[minmax(0,1fr)_repeat(3,3.25rem)]'

/** The columns of figures, some of which a narrow screen leaves out. */
const FIGURES = [
  ['messages', 'max-sm:hidden'],
  ['turns', ''],
  ['tokens', 'max-sm:hidden'],
  ['results', ''],
  ['masked', ''],
] as const

/** A search field and the conversations it finds. The field has the focus while arrow keys move through the list. */
function ConversationOptions({ onChoose }: { onChoose: (index: number) => void }) {
  const { t, format } = useView('reading.picker')
  const scroller = useRef<HTMLDivElement>(null)
  const all = useDeferredState(conversationRowsOf)
  const current = usePlaygroundState((state) => state.conversation)
  const because = usePlaygroundState(
    ({ read }) => read && openingConversationOf(read.model).because,
  )
  const isCalibrated = useDeferredState((state) => calibrationOf(state) !== undefined)
  const [query, setQuery] = useState('')
  const words = useWords()
  const rows = searchRows(all, query, words)
  const totals = sumRows(all)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    initialOffset: Math.max(0, (current - 2) * ROW_HEIGHT),
    overscan: 6,
  })

  return (
    <Combobox.Root<ConversationRow>
      inline
      open
      virtualized
      autoHighlight
      items={rows}
      filter={null}
      value={all[current] ?? null}
      isItemEqualToValue={(a, b) => a.index === b.index}
      itemToStringLabel={({ label }) => words(label)}
      inputValue={query}
      onInputValueChange={(next, { reason }) => {
        if (reason !== 'item-press') setQuery(next)
      }}
      onItemHighlighted={(row, { reason, index }) => {
        if (row !== undefined && reason !== 'pointer') virtualizer.scrollToIndex(index)
      }}
      onValueChange={(row) => {
        if (row !== null) onChoose(row.index)
      }}
    >
      <Combobox.Input
        aria-label={t('search')}
        placeholder={t('search')}
        className={`${FIELD_SURFACE} mb-2 h-8 w-full px-2.5 placeholder:text-faint pointer-coarse:h-11`}
      />
      <div aria-hidden className={`${COLUMNS} border-b px-2 pb-1 text-faint text-sm`}>
        <span>{t('opening')}</span>
        {FIGURES.map(([column, className]) => (
          <span key={column} className={`text-right ${className}`}>
            {t(column)}
          </span>
        ))}
      </div>
      <Combobox.List
        ref={scroller}
        aria-label={t('list')}
        className="max-h-[min(24rem,50vh)] overflow-y-auto"
      >
        <div
          role="presentation"
          className="relative"
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ index: place, start }) => {
            const row = rows[place]
            if (row === undefined) return null
            const label = words(row.label)
            const opening = row.opening || t('noOpening')
            const weight = row.index === current ? 'font-semibold' : ''
            return (
              <Combobox.Item
                key={row.index}
                value={row}
                index={place}
                aria-posinset={place + 1}
                aria-setsize={rows.length}
                aria-label={t('option', {
                  ...{ ...row, label, opening },
                  ...{ tokens: format.number(row.tokens), masked: format.number(row.masked) },
                })}
                className={`${COLUMNS} absolute inset-x-0 top-0 cursor-pointer items-center rounded-md px-2 data-highlighted:bg-line/70`}
                style={{ height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
              >
                <span className="min-w-0">
                  <span className={`block truncate ${weight}`}>{opening}</span>
                  <span className="block truncate text-soft text-sm">
                    {format.number(row.index + 1)} · {label}
                  </span>
                </span>
                {FIGURES.map(([column, className]) => {
                  const tone = column !== 'masked' ? '' : row.masked ? 'text-accent' : 'text-soft'
                  return (
                    <span key={column} className={`text-right ${className} ${tone}`}>
                      {format.number(row[column])}
                    </span>
                  )
                })}
              </Combobox.Item>
            )
          })}
        </div>
      </Combobox.List>
      <Combobox.Empty className="p-2 text-soft empty:hidden">{t('none', { query })}</Combobox.Empty>
      <p className="mt-2 border-t pt-2 text-soft text-sm">
        {because !== undefined && because !== 'only' && `${t(`opens.${because}`)} `}
        {t('totals', {
          turns: totals.turns,
          masked: format.number(totals.masked),
          results: totals.results,
          isCalibrated: isCalibrated ? 'yes' : 'no',
        })}
      </p>
    </Combobox.Root>
  )
}
