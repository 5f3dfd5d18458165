import { type ComponentType, useEffect, useRef } from 'react'
import { isPassing, type Notice } from '@/lib/state/notices'
import { usePlaygroundState, useView } from '../playground-context'

const SECONDS_SHOWN = 8

/**
 * Notices in a corner, newest last; on a narrow page above the policy's bar, where the page grows by their height.
 * Errors stay until dismissed. Others leave by themselves, but not while the document is read and counted, or while the
 * pointer or the focus is on a notice. The region stays mounted while empty, so that screen readers announce the first
 * one.
 */
export function NoticeList(props: {
  /** Loads with the first notice, beside its texts, so that a button does not appear before its sentence. */
  readonly Item: ComponentType<{ readonly notice: Notice }>
  readonly areAllStaying?: boolean
}) {
  const { Item, areAllStaying = false } = props
  const { t, actions } = useView('shell')
  const notices = usePlaygroundState((state) => state.notices)
  const isWorking = usePlaygroundState(
    ({ reading, counting }) => reading.state === 'reading' || counting !== undefined,
  )
  const list = useRef<HTMLElement>(null)
  // Those shown together leave together.
  const passing = notices.filter((notice) => !areAllStaying && isPassing(notice))
  const ids = passing.map(({ id }) => id).join(' ')
  useEffect(() => {
    if (ids === '' || isWorking) return
    const timer = setInterval(() => {
      if (list.current?.matches(':hover, :focus-within')) return
      for (const id of ids.split(' ')) actions.dismissNotice(Number(id))
    }, SECONDS_SHOWN * 1000)
    return () => clearInterval(timer)
  }, [actions, ids, isWorking])
  return (
    <section
      ref={list}
      aria-label={t('notices')}
      aria-live="polite"
      className="pointer-events-none z-60 flex w-90 max-w-[calc(100vw-2rem)] flex-col gap-2 max-lg:sticky max-lg:bottom-18 max-lg:not-empty:mb-6 max-lg:mr-4 max-lg:self-end lg:fixed lg:right-4 lg:bottom-12 lg:max-xl:bottom-17 *:pointer-events-auto"
    >
      {notices.map((notice) => (
        <Item key={notice.id} notice={notice} />
      ))}
    </section>
  )
}
