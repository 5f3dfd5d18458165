import { isTooLargeToEdit } from '@/lib/state/document/large-text'
import { isAwaited, isOutdated } from '@/lib/state/document/selectors'
import { MessageList } from '../messages-view/message-list'
import { AfterFrame, useDeferredState, usePlaygroundState, useView } from '../playground-context'

/** True if a pane shows an older text than the one that is open. */
export function useIsOlder(): boolean {
  return usePlaygroundState((state) => isOutdated(state) && state.source.text !== '')
}

/** A sentence for a pane that shows an older text; nothing where it shows the open one. */
export function OlderTextNote() {
  const { t } = useView('panes')
  const isOlder = useIsOlder()
  const isBusy = usePlaygroundState(isAwaited)
  const name = usePlaygroundState(({ source }) => source.name)
  const isLarge = useDeferredState(isTooLargeToEdit)
  if (!isOlder) return null
  return (
    <p role="status" className="shrink-0 border-b bg-paper px-4 py-2 text-soft text-sm">
      {isBusy ? t(isLarge ? 'awaitedMessages' : 'awaited', { name }) : t('stale')}
    </p>
  )
}

/** The messages, dimmed while they are those of an older text; those of a large text once it is read. */
export function DimmedMessages() {
  const isOlder = useIsOlder()
  const isBusy = usePlaygroundState(isAwaited)
  const isLarge = useDeferredState(isTooLargeToEdit)
  const isBusyLater = useDeferredState(isAwaited)
  return (
    <div aria-busy={isBusy} className={`min-h-0 flex-1 overflow-hidden ${isOlder ? 'faded' : ''}`}>
      {!isLarge && <MessageList />}
      {/* Drawn in a task of their own. */}
      {isLarge && !isBusyLater && (
        <AfterFrame>
          <MessageList />
        </AfterFrame>
      )}
    </div>
  )
}
