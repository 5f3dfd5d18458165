'use client'

import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { RecentDraft } from '@/lib/state/drafts/drafts-store'
import { useWords } from '../language-provider'
import { Button } from '../ui/button'
import { IconButton } from '../ui/icon-button'
import { useFigureFormat } from '../use-figure-format'
import { useDrafts } from './drafts-context'

/** A stored transcript. A press opens it as it was left. */
export function RecentRow({ draft }: { readonly draft: RecentDraft }) {
  const t = useTranslations('drafts')
  const format = useFormatter()
  const { size } = useFigureFormat()
  const words = useWords()
  const drafts = useDrafts()
  const [isAsking, setAsking] = useState(false)
  const name = draft.name || t('untitled')
  const isElsewhere = draft.openIn === 'other'
  const facts = [
    draft.origin.kind === 'sample' && t('sample'),
    draft.formatLabel === undefined ? t('unread') : words({ name: draft.formatLabel }),
    draft.turns !== undefined && t('turns', { turns: draft.turns }),
    size(draft.bytes),
    format.relativeTime(draft.keptAt, Date.now()),
    isElsewhere && t('openElsewhere'),
  ].filter((fact) => fact !== false)
  const open = async () => {
    if (await drafts.open(draft.id)) drafts.show(undefined)
    else await drafts.list()
  }
  const remove = async () => {
    await drafts.remove(draft)
    await drafts.list()
  }
  return (
    <li className="flex items-center gap-2 py-1">
      <button
        type="button"
        disabled={isElsewhere}
        onClick={() => void open()}
        className="min-w-0 flex-1 cursor-pointer rounded-md px-2 py-1 text-left hover:bg-line/50 disabled:cursor-default disabled:hover:bg-transparent"
      >
        <span className="block truncate font-medium">{name}</span>
        <span className="block text-soft text-sm tabular-nums">{facts.join(' · ')}</span>
      </button>
      {isAsking ? (
        <span className="flex shrink-0 flex-wrap items-center justify-end gap-1.5">
          <span className="text-sm max-sm:sr-only">{t('removeSure')}</span>
          <Button size="small" onClick={() => void remove()}>
            {t('removeDo')}
          </Button>
          <Button kind="ghost" size="small" onClick={() => setAsking(false)}>
            {t('removeNot')}
          </Button>
        </span>
      ) : (
        <IconButton
          label={t('remove', { name })}
          disabled={isElsewhere}
          onClick={() => setAsking(true)}
        >
          <Trash2 aria-hidden />
        </IconButton>
      )}
    </li>
  )
}
