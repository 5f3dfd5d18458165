import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import { useDeferredState, useShown, useView } from '@/components/playground-context'
import type { Conversation } from '@/lib/core/conversation/conversation'
import {
  sentMessagesOf,
  shownConversationOf,
  shownDecisionsOf,
} from '@/lib/state/costs/request-view'
import { isWritten, sentRequestOf } from '@/lib/state/costs/tried-mechanism'
import { markKindsOf, messageTokensOf, resultsByMessage } from '@/lib/state/document/message-facts'
import { slicesOf } from '@/lib/state/document/selectors'
import { rangeWith } from '../ui/table'
import { MessageItem } from './message-item'
import { Expansions } from './result-body'

/** The conversation as readable messages with masked results replaced. Follows and sets the selection. */
export function MessageList() {
  const { t } = useView('reading')
  const conversation = useDeferredState(shownConversationOf)
  const document = useDeferredState((state) => state.read?.source.name)
  const at = useDeferredState((state) => state.conversation)
  if (conversation === undefined) return <p className="p-6 text-soft">{t('nothing')}</p>
  // Scroll position and expanded parts belong to one conversation. They survive edits of its text.
  return <Messages key={`${at} ${document}`} conversation={conversation} />
}

function Messages({ conversation }: { conversation: Conversation }) {
  const { t, actions } = useView('reading')
  const scroller = useRef<HTMLDivElement>(null)
  const source = useDeferredState(({ read }) => (read === undefined ? '' : slicesOf(read.source)))
  const at = useDeferredState((state) => state.conversation)
  const sent = useDeferredState(sentMessagesOf)
  const decisions = useDeferredState(shownDecisionsOf)?.[at]
  const tokens = useDeferredState(messageTokensOf)
  const kinds = useDeferredState(markKindsOf)
  const written = useShown(sentRequestOf).shown?.messages
  const changes = useDeferredState(isWritten) ? written : undefined
  const selection = useDeferredState((state) => state.selection)
  const selected = selection?.message
  const isFocusWanted = useRef(false)
  const { messages } = conversation

  const virtualizer = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller.current,
    // Roughly, for the scroll bar; rendered messages are measured.
    estimateSize: (index) => 56 + 18 * Math.min(11, Math.floor((messages[index]?.chars ?? 0) / 90)),
    overscan: 4,
    scrollPaddingStart: 12,
    rangeExtractor: (range) => rangeWith(range, selected),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a choice made again, by its count, is followed again
  useEffect(() => {
    if (selection === undefined) return
    if (selection.by !== 'list') virtualizer.scrollToIndex(selection.message, { align: 'start' })
    else if (isFocusWanted.current) {
      isFocusWanted.current = false
      virtualizer.scrollToIndex(selection.message, { align: 'auto' })
      articleOf(selection.message)?.focus({ preventScroll: true })
    }
  }, [selection?.count])

  const articleOf = (index: number) =>
    scroller.current?.querySelector<HTMLElement>(`article[data-index="${index}"]`)

  const choose = (message: number) => {
    if (message < 0 || message >= messages.length) return
    actions.select(message, resultsByMessage(conversation).get(message)?.[0], 'list')
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target as Element
    const isOnArticle = target.matches('article')
    // Arrow keys move between messages only if a message has the focus. Inside a message they scroll.
    const arrows = isOnArticle && { ArrowDown: 1, ArrowUp: -1 }
    const steps: Readonly<Record<string, number>> = { j: 1, k: -1, ...arrows }
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      isFocusWanted.current = true
      const from = Number(target.closest<HTMLElement>('article')?.dataset.index ?? -1)
      choose(Math.min(messages.length - 1, Math.max(0, from + step)))
    } else if (event.key === 'Enter' && isOnArticle) {
      event.currentTarget.querySelector<HTMLElement>('article:focus button[aria-expanded]')?.click()
    }
  }
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const target = event.target as Element
    const article = target.closest<HTMLElement>('article')
    const isReading = window.getSelection()?.isCollapsed === false || target.closest('button')
    if (article === null || isReading) return
    choose(Number(article.dataset.index))
  }
  const [expanded, setExpanded] = useState<ReadonlyMap<string, number>>(new Map())
  const expand = (part: string, shown: number) => {
    setExpanded((all) => new Map(all).set(part, shown))
    const index = Number.parseInt(part, 10)
    const item = virtualizer.measurementsCache[index]
    if (shown === 0 && item !== undefined && item.start < (virtualizer.scrollOffset ?? 0))
      virtualizer.scrollToIndex(index, { align: 'start' })
  }

  if (tokens === undefined || kinds === undefined) return null
  const items = virtualizer.getVirtualItems()
  const entry = items.some(({ index }) => index === selected) ? selected : items[0]?.index
  return (
    <Expansions value={[expanded, expand]}>
      <div ref={scroller} className="h-full overflow-y-auto overflow-x-hidden bg-raised">
        <div
          role="feed"
          aria-label={t('messages')}
          className="relative w-full"
          style={{ height: virtualizer.getTotalSize() }}
          onKeyDown={onKeyDown}
          onClick={onClick}
        >
          {items.map(({ index, start }) => (
            <article
              key={index}
              ref={virtualizer.measureElement}
              data-index={index}
              tabIndex={index === entry ? 0 : -1}
              aria-label={t('message', {
                message: index + 1,
                messages: messages.length,
                role: messages[index]?.role ?? '',
              })}
              aria-posinset={index + 1}
              aria-setsize={messages.length}
              aria-current={index === selected ? 'true' : undefined}
              className="-outline-offset-2 absolute inset-x-0 top-0 aria-[current=true]:bg-ink/3 data-unsent:faded"
              // A summary that stands in its place is not faded.
              data-unsent={
                index >= sent || (changes?.[index]?.isLeftOut && !changes[index].summary)
                  ? ''
                  : undefined
              }
              style={{ transform: `translateY(${start}px)` }}
            >
              <MessageItem
                index={index}
                source={source}
                conversation={conversation}
                results={resultsByMessage(conversation).get(index) ?? []}
                decisions={decisions}
                tokens={tokens}
                kind={kinds[index] ?? 'other'}
                change={changes?.[index]}
              />
            </article>
          ))}
        </div>
      </div>
    </Expansions>
  )
}
