import { Fragment } from 'react'
import { conversationOf } from '@/lib/state/document/selectors'
import { stepResult } from '@/lib/state/timeline/window-edge'
import { usePlaygroundState, useView } from '../playground-context'
import { useJump } from '../shell/page-link'
import { Button } from '../ui/button'

type Place = Pick<Parameters<typeof TurnLink>[0], 'message' | 'result'>

/** Places listed by name; the button leads to the others. */
const MOST_PLACES = 4

/** Links to the places of a finding. */
export function Places(props: {
  /** In words. */
  readonly finding: string
  readonly places: readonly Place[]
  /** What is said of a place beside its turn. */
  readonly noteOf?: (at: number) => string
}) {
  const { finding, places, noteOf } = props
  const { t, store } = useView('integrity')
  const jump = useJump()
  const messages = usePlaygroundState(conversationOf)?.messages ?? []
  const step = () => {
    const at = stepResult(
      places.map(({ message }) => message),
      store.getState().selection?.message,
    )
    const place = places.find(({ message }) => message === at)
    if (place !== undefined) jump(place.message, place.result)
  }
  return (
    <>
      {places.slice(0, MOST_PLACES).map(({ message, result }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places keep their order
        <Fragment key={at}>
          {at > 0 && ' '}
          {/* A comma stays on the line of its link. */}
          <span className="whitespace-nowrap" title={noteOf?.(at)}>
            <TurnLink turn={messages[message]?.turn} message={message} result={result} />
            {at < Math.min(places.length, MOST_PLACES + 1) - 1 && ','}
          </span>
        </Fragment>
      ))}
      {places.length > MOST_PLACES && (
        <>
          {' … '}
          <Button kind="link" aria-label={t('showOf', { finding })} onClick={step}>
            {t('show')}
          </Button>
        </>
      )}
    </>
  )
}

/** Link to a turn or message in the panes. */
export function TurnLink(props: {
  /** Index from 0; undefined for a message outside any turn. */
  readonly turn: number | undefined
  readonly message: number
  readonly result?: number | undefined
}) {
  const { turn, message, result } = props
  const { t } = useView('integrity')
  const jump = useJump()
  const isShown = usePlaygroundState(({ selection }) => selection?.message === message)
  return (
    <button
      type="button"
      aria-current={isShown ? 'true' : undefined}
      onClick={() => jump(message, result)}
      className="relative cursor-pointer rounded-xs text-accent underline decoration-1 underline-offset-3 before:absolute before:-inset-x-1 before:-inset-y-1 before:content-[''] hover:decoration-2 aria-[current=true]:font-semibold pointer-coarse:before:-inset-y-3"
    >
      {turn === undefined ? t('message', { message: message + 1 }) : t('turn', { turn: turn + 1 })}
    </button>
  )
}
