'use client'

import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useTranslations } from 'use-intl'
import { usePlayground, usePlaygroundState } from '@/components/playground-context'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Popover } from '@/components/ui/popover'
import { conversationOf } from '@/lib/state/document/selectors'
import { ConversationOptions } from './conversation-options'
import { useStepKeys } from './use-step-keys'

/** Chooses the conversation to show. Renders nothing if the document has only one. */
export function ConversationPicker() {
  const t = useTranslations('reading.picker')
  const { actions, store } = usePlayground()
  const [isOpen, setIsOpen] = useState(false)
  const count = usePlaygroundState((state) => state.read?.model.conversations.length ?? 0)
  const at = usePlaygroundState((state) => state.conversation)
  const opening = usePlaygroundState((state) => conversationOf(state)?.opening ?? '')

  const step = useCallback(
    (by: -1 | 1) => {
      const { conversation, read } = store.getState()
      const next = conversation + by
      if (read?.model.conversations[next] !== undefined) actions.chooseConversation(next)
    },
    [actions, store],
  )
  useStepKeys(count > 1, step)

  if (count < 2) return null
  return (
    <div className="flex min-w-0 items-center max-xl:shrink-0">
      <IconButton
        label={t('previous')}
        tooltip={t('previousTip')}
        disabled={at === 0}
        onClick={() => step(-1)}
      >
        <ChevronLeft aria-hidden />
      </IconButton>
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
      >
        <ChevronRight aria-hidden />
      </IconButton>
    </div>
  )
}
