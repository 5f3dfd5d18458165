import { ChevronLeft, ChevronRight, type LucideIcon } from 'lucide-react'
import { useDeferredState, usePlaygroundState, useView } from '@/components/playground-context'
import { IconButton } from '@/components/ui/tooltip'
import { calibrationOf } from '@/lib/state/costs/shown-session'
import { triedLabelOf } from '@/lib/state/costs/tried-mechanism'
import {
  conversationRowsOf,
  openingConversationOf,
  searchRows,
  sumRows,
} from '@/lib/state/document/conversation-rows'
import { conversationOf } from '@/lib/state/document/selectors'
import { useWords } from '../language-provider'
import { useStepKeys } from '../shell/use-shortcuts'
import { SearchSelect } from '../ui/search-select'

/** So many are listed; the others are found by typing. */
const MOST_LISTED = 100

/** Chooses the conversation to show. Renders nothing if the document has only one. */
export function ConversationPicker() {
  const { t, format, actions, store } = useView('reading.picker')
  const words = useWords()
  const count = usePlaygroundState((state) => state.read?.model.conversations.length ?? 0)
  const at = usePlaygroundState((state) => state.conversation)
  const opening = usePlaygroundState((state) => conversationOf(state)?.opening ?? '')
  const all = useDeferredState(conversationRowsOf)
  const because = usePlaygroundState(
    ({ read }) => read && openingConversationOf(read.model).because,
  )
  const label = useDeferredState(triedLabelOf)
  const isCalibrated = useDeferredState((state) => calibrationOf(state) !== undefined)

  const step = (by: -1 | 1) => {
    const { conversation, read } = store.getState()
    const next = conversation + by
    if (read?.model.conversations[next] !== undefined) actions.chooseConversation(next)
  }
  useStepKeys('[]', count > 1, step)

  if (count < 2) return null
  /** From a little before the one shown, if not all can be listed. */
  const listed = (query: string) => {
    const rows = searchRows(all, query, words)
    const first = query === '' && rows.length > MOST_LISTED ? Math.max(0, at - 2) : 0
    return rows.slice(first, first + MOST_LISTED)
  }
  const totals = sumRows(all)
  const button = (to: 'previous' | 'next', by: -1 | 1, icon: LucideIcon) => (
    <IconButton
      label={t(to)}
      tooltip={t(`${to}Tip`)}
      disabled={at + by < 0 || at + by >= count}
      onClick={() => step(by)}
      icon={icon}
    />
  )
  return (
    <div className="flex min-w-0 items-center max-xl:shrink-0">
      {button('previous', -1, ChevronLeft)}
      <span className="min-w-0 max-w-72 max-xl:max-w-28 [&>button]:max-w-full">
        <SearchSelect
          label={t('list')}
          searchLabel={t('search')}
          value={{
            value: `${at}`,
            label: `${t('trigger', { position: at + 1, count })} · ${opening || t('noOpening')}`,
          }}
          search={(query) => {
            const options = listed(query).map((row) => ({
              value: `${row.index}`,
              label: row.opening || t('noOpening'),
              description: `${format.number(row.index + 1)} · ${words(row.label)} · ${t('facts', {
                turns: row.turns,
                tokens: format.number(row.tokens),
                masked: format.number(row.masked),
                results: row.results,
              })}`,
            }))
            return options.length === 0 ? [] : [{ label: t('title', { count }), options }]
          }}
          onValueChange={(index) => actions.chooseConversation(Number(index))}
          empty={t('none')}
          footer={(query) => (
            <>
              {query === '' && count > MOST_LISTED && `${t('byTyping')} `}
              {because !== undefined && because !== 'only' && `${t(`opens.${because}`)} `}
              {t('totals', {
                by: label === undefined ? 'none' : words({ name: label }),
                turns: totals.turns,
                masked: format.number(totals.masked),
                results: totals.results,
                isCalibrated: isCalibrated ? 'yes' : 'no',
              })}
            </>
          )}
        />
      </span>
      {button('next', 1, ChevronRight)}
    </div>
  )
}
