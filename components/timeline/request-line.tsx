'use client'

import { useEffect } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Announcement } from '@/components/meters/announcement'
import { useDeferredState, usePlayground } from '@/components/playground-context'
import { Button } from '@/components/ui/button'
import type { RequestFigures } from '@/lib/core/replay/replay-figures'
import { requestViewOf } from '@/lib/state/costs/request-view'
import { resultsByMessage } from '@/lib/state/document/message-facts'
import { conversationOf } from '@/lib/state/document/selectors'

/** Describes the selected earlier request: its cache use, its first difference from the one before, and a way back. */
export function RequestLine() {
  const t = useTranslations('cost.request')
  const { actions } = usePlayground()
  const isLookingBack = useDeferredState(({ request }) => request !== undefined)
  const view = useDeferredState(requestViewOf)

  useEffect(() => {
    if (!isLookingBack) return
    const leave = (event: KeyboardEvent) => {
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
