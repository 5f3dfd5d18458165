'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { usePlaygroundState } from '@/components/playground-context'
import { FIELD_SURFACE } from '@/components/ui/surface'
import {
  type ConversationRow,
  conversationRowsOf,
  searchRows,
  sumRows,
} from '@/lib/state/conversation-rows'
import { openingOf } from '@/lib/state/opening-conversation'

const ROW_HEIGHT = 46
const PAGE = 8
const COLUMNS =
  'grid grid-cols-[minmax(0,1fr)_repeat(5,3.75rem)] gap-x-2 max-sm:grid-cols-[minmax(0,1fr)_repeat(3,3.25rem)]'
/** Left out where there is no room. */
const WIDE_ONLY = 'max-sm:hidden'

/** A search and the conversations it finds; the focus stays in the search while keys move through the list. */
export function ConversationOptions({ onChoose }: { readonly onChoose: (index: number) => void }) {
  const t = useTranslations('reading.picker')
  const { number } = useFormatter()
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const all = usePlaygroundState(conversationRowsOf)
  const current = usePlaygroundState((state) => state.conversation)
  const because = usePlaygroundState(({ read }) => read && openingOf(read.model).because)
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(current)
  const rows = searchRows(all, query)
  const totals = sumRows(all)
  const text = (count: number | undefined) => (count === undefined ? '–' : number(count))

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    initialOffset: Math.max(0, (current - 2) * ROW_HEIGHT),
    overscan: 6,
  })
  const moveTo = (place: number) => {
    const next = Math.min(rows.length - 1, Math.max(0, place))
    setActive(next)
    virtualizer.scrollToIndex(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const place = placeAfterKey(event.key, active)
    const row = rows[active]
    if (place !== undefined) moveTo(place)
    else if (event.key === 'Enter' && row !== undefined) onChoose(row.index)
    else return
    event.preventDefault()
  }

  return (
    <>
      <input
        role="combobox"
        aria-expanded
        aria-controls={`${id}list`}
        aria-activedescendant={rows[active] && `${id}${rows[active].index}`}
        aria-autocomplete="list"
        aria-label={t('search')}
        placeholder={t('search')}
        value={query}
        className={`${FIELD_SURFACE} mb-2 h-8 w-full px-2.5 placeholder:text-faint pointer-coarse:h-11`}
        onChange={(event) => {
          setQuery(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div aria-hidden className={`${COLUMNS} border-b px-2 pb-1 text-faint text-sm`}>
        <span>{t('opening')}</span>
        <span className={`text-right ${WIDE_ONLY}`}>{t('messages')}</span>
        <span className="text-right">{t('turns')}</span>
        <span className={`text-right ${WIDE_ONLY}`}>{t('tokens')}</span>
        <span className="text-right">{t('results')}</span>
        <span className="text-right">{t('masked')}</span>
      </div>
      <div
        ref={scroller}
        role="listbox"
        id={`${id}list`}
        aria-label={t('list')}
        className="max-h-[min(24rem,50vh)] overflow-y-auto"
      >
        <div
          role="presentation"
          className="relative"
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ index: place, start }) => (
            <Option
              key={place}
              id={`${id}${rows[place]?.index}`}
              row={rows[place] as ConversationRow}
              place={place}
              size={rows.length}
              start={start}
              isActive={place === active}
              isCurrent={rows[place]?.index === current}
              onChoose={onChoose}
            />
          ))}
        </div>
      </div>
      {rows.length === 0 && <p className="p-2 text-soft">{t('none', { query })}</p>}
      <p className="mt-2 border-t pt-2 text-soft text-sm">
        {because !== undefined && because !== 'only' && `${t(`opens.${because}`)} `}
        {t('totals', { turns: totals.turns, masked: text(totals.masked), results: totals.results })}
      </p>
    </>
  )
}

function Option({
  id,
  row,
  place,
  size,
  start,
  isActive,
  isCurrent,
  onChoose,
}: {
  readonly id: string
  readonly row: ConversationRow
  readonly place: number
  readonly size: number
  readonly start: number
  readonly isActive: boolean
  readonly isCurrent: boolean
  readonly onChoose: (index: number) => void
}) {
  const t = useTranslations('reading.picker')
  const { number } = useFormatter()
  const text = (count: number | undefined) => (count === undefined ? '–' : number(count))
  const opening = row.opening || t('noOpening')
  const tokens = text(row.tokens)
  const masked = text(row.masked)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the search, which keeps the focus
    // biome-ignore lint/a11y/useFocusableInteractive: the search names it as its active descendant
    <div
      role="option"
      id={id}
      aria-selected={isCurrent}
      aria-posinset={place + 1}
      aria-setsize={size}
      aria-label={t('option', { ...row, opening, tokens, masked })}
      data-active={isActive || undefined}
      className={`${COLUMNS} absolute inset-x-0 top-0 cursor-pointer items-center rounded-md px-2 hover:bg-line/40 data-active:bg-line/70`}
      style={{ height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
      onClick={() => onChoose(row.index)}
    >
      <span className="min-w-0">
        <span className={`block truncate ${isCurrent ? 'font-semibold' : ''}`}>{opening}</span>
        <span className="block truncate text-soft text-sm">
          {number(row.index + 1)} · {row.label}
        </span>
      </span>
      <span className={`text-right ${WIDE_ONLY}`}>{text(row.messages)}</span>
      <span className="text-right">{text(row.turns)}</span>
      <span className={`text-right ${WIDE_ONLY}`}>{tokens}</span>
      <span className="text-right">{text(row.results)}</span>
      <span className={`text-right ${row.masked ? 'text-accent' : 'text-soft'}`}>{masked}</span>
    </div>
  )
}

function placeAfterKey(key: string, active: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return active + 1
    case 'ArrowUp':
      return active - 1
    case 'PageDown':
      return active + PAGE
    case 'PageUp':
      return active - PAGE
    default:
      return undefined
  }
}
