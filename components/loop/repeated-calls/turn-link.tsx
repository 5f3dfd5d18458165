import { useTranslations } from 'use-intl'
import { useJump } from '../../drawer/bottom-drawer'
import { usePlaygroundState } from '../../playground-context'

/** Link to a turn or message in the panes. */
export function TurnLink(props: {
  /** Index from 0; undefined for a message outside any turn. */
  readonly turn: number | undefined
  readonly message: number
  readonly result?: number | undefined
  readonly isShort?: boolean
}) {
  const { turn, message, result, isShort = false } = props
  const t = useTranslations('loop.repeatedCalls.table')
  const jump = useJump()
  const isShown = usePlaygroundState(({ selection }) => selection?.message === message)
  const number = turn === undefined ? undefined : turn + 1
  const name =
    number === undefined ? t('message', { message: message + 1 }) : t('turn', { turn: number })
  return (
    <button
      type="button"
      aria-label={isShort && number !== undefined ? t('turnLink', { turn: number }) : undefined}
      aria-current={isShown ? 'true' : undefined}
      onClick={() => jump(message, result)}
      className={`relative cursor-pointer rounded-xs text-accent underline decoration-1 underline-offset-3 before:absolute before:-inset-y-1 before:content-[''] hover:decoration-2 aria-[current=true]:font-semibold pointer-coarse:before:-inset-y-3 ${isShort ? 'inline-flex min-h-6 min-w-6 items-center justify-center before:inset-x-0' : 'before:-inset-x-1'}`}
    >
      {isShort ? (number ?? name) : name}
    </button>
  )
}
