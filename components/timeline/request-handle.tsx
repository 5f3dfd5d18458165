import { type KeyboardEvent, useEffect } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Announcement } from '@/components/meters/announcement'
import {
  useDeferredState,
  usePlayground,
  usePlaygroundState,
} from '@/components/playground-context'
import { Button } from '@/components/ui/button'
import { stepOfKey } from '@/components/ui/step-of-key'
import type { RequestFigures } from '@/lib/core/replay/replay-figures'
import { requestNear, requestViewOf, sentMessagesOf } from '@/lib/state/costs/request-view'
import { sessionOf } from '@/lib/state/costs/shown-session'
import { resultsByMessage } from '@/lib/state/document/message-facts'
import { conversationOf } from '@/lib/state/document/selectors'
import { StripHandle, type StripHandleProps } from './window-handle'

interface RequestHandleProps extends Pick<StripHandleProps, 'placeOf'> {
  readonly messages: number
}

/** A handle at the end of the next request. Dragged left, it shows an earlier request and fades later messages. */
export function RequestHandle({ messages, placeOf }: RequestHandleProps) {
  const t = useTranslations('cost.request')
  const { actions } = usePlayground()
  const session = usePlaygroundState(sessionOf)
  const chosen = usePlaygroundState((state) => state.request)
  const end = usePlaygroundState(sentMessagesOf)
  if (session === undefined || session.origin === 'log' || session.requests.length === 0)
    return null
  const { requests } = session
  const count = requests.length
  const percent = `${(end / Math.max(1, messages)) * 100}%`

  const onKeyDown = (event: KeyboardEvent) => {
    const isEscape = event.key === 'Escape' && chosen !== undefined
    const next = isEscape ? count : stepOfKey(event, 10, chosen ?? count, 0, count)
    if (next === undefined) return
    event.preventDefault()
    actions.chooseRequest(next >= count ? undefined : next)
  }

  return (
    <>
      {chosen !== undefined && (
        <div
          aria-hidden
          className="-top-2 pointer-events-none absolute right-0 bottom-0 bg-paper/75"
          style={{ left: percent }}
        />
      )}
      <StripHandle
        placeOf={placeOf}
        onDrag={(place) => {
          const next = requestNear(requests, place * messages, messages)
          if (next !== chosen) actions.chooseRequest(next)
        }}
        aria-label={t('handle')}
        aria-description={t('handleKeys')}
        aria-valuemin={1}
        aria-valuemax={count + 1}
        aria-valuenow={(chosen ?? count) + 1}
        aria-valuetext={
          chosen === undefined
            ? t('handleNext', { count })
            : t('handleValue', { request: chosen + 1, count })
        }
        className="group/request"
        style={{ left: percent }}
        onKeyDown={onKeyDown}
      >
        <span className="-left-1.5 -bottom-4 pointer-events-auto absolute h-8 w-4 cursor-ew-resize pointer-coarse:-left-5 pointer-coarse:h-10 pointer-coarse:w-10" />
        {chosen !== undefined && <span className="-left-px absolute inset-y-0 w-0.5 bg-accent" />}
        <span className="-bottom-2 -left-[5px] absolute size-[10px] rotate-45 rounded-xs border border-paper bg-accent transition-transform group-hover/request:scale-125 group-focus-visible/request:scale-125 group-focus-visible/request:ring-2 group-focus-visible/request:ring-accent group-focus-visible/request:ring-offset-1" />
      </StripHandle>
    </>
  )
}

/** Describes the selected earlier request: its cache use, its first difference from the one before, and a way back. */
export function RequestLine() {
  const t = useTranslations('cost.request')
  const { actions } = usePlayground()
  const isLookingBack = useDeferredState(({ request }) => request !== undefined)
  const view = useDeferredState(requestViewOf)

  useEffect(() => {
    if (!isLookingBack) return
    const leave = (event: globalThis.KeyboardEvent) => {
      // Popups and editors handle Escape first.
      if (event.key === 'Escape' && !event.defaultPrevented && !isInEditor(event.target))
        actions.chooseRequest(undefined)
    }
    addEventListener('keydown', leave)
    return () => removeEventListener('keydown', leave)
  }, [isLookingBack, actions])

  if (!isLookingBack) return null
  return (
    <section
      aria-label={t('label')}
      className="-mx-6 mt-2 -mb-2 flex flex-wrap items-center gap-x-4 gap-y-1 border-t bg-accent-tint/60 px-6 py-1.5 text-sm max-sm:-mx-4 max-sm:px-4"
    >
      <p className="min-w-0 flex-1 basis-80">{view !== undefined && <Sentences view={view} />}</p>
      <Button size="small" onClick={() => actions.chooseRequest(undefined)}>
        {t('back')}
      </Button>
    </section>
  )
}

function Sentences({ view }: { readonly view: RequestFigures }) {
  const t = useTranslations('cost.request')
  const format = useFormatter()
  const { actions } = usePlayground()
  const conversation = useDeferredState(conversationOf)
  const { index, count, replayed, firstChanged } = view
  const { split } = replayed.after
  const number = (value: number) => format.number(value)
  const cache = t('cache', {
    read: number(split.read),
    written: number(split.written),
    fresh: number(split.fresh),
  })
  const title = t('title', { request: index + 1, count })
  const same = t(index === 0 ? 'first' : 'same', { before: index })
  const changed =
    firstChanged === undefined ? undefined : { message: firstChanged + 1, before: index }
  const result =
    conversation && firstChanged !== undefined
      ? resultsByMessage(conversation)[firstChanged]?.[0]
      : undefined
  return (
    <>
      <strong className="font-semibold">{title}.</strong> {cache}{' '}
      {changed === undefined
        ? same
        : t.rich('changed', {
            ...changed,
            a: (chunks) => (
              <Button
                kind="link"
                onClick={() => actions.select(firstChanged as number, result, 'page')}
              >
                {chunks}
              </Button>
            ),
          })}{' '}
      <span className="text-soft max-lg:hidden">{t('copies')}</span>
      <Announcement
        sentence={`${title}. ${cache} ${changed === undefined ? same : t('changedPlain', changed)}`}
      />
    </>
  )
}

function isInEditor(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.monaco-editor, [role="dialog"]') !== null
}
