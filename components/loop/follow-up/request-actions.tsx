'use client'

import { Copy, Ellipsis, FileDown, FilePlus2, History, Terminal } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { writeCurl } from '@/lib/core/loop/write-curl'
import { conversationFileName } from '@/lib/state/chat-body'
import type { BuiltFollowUp } from '@/lib/state/loop-follow-up'
import { useDrafts } from '../../drafts/drafts-context'
import { usePlayground, usePlaygroundState } from '../../playground-context'
import { saveBlob } from '../../save-file'
import { Button } from '../../ui/button'
import { IconButton } from '../../ui/icon-button'
import { Menu, MenuItem } from '../../ui/menu'
import { writeClipboard } from '../../write-clipboard'

export interface RequestActionsProps {
  readonly built: BuiltFollowUp
  readonly which: 'whole' | 'masked'
}

/** Ways to take the request away, as it is shown. */
export function RequestActions({ built, which }: RequestActionsProps) {
  const t = useTranslations('followUp.preview')
  const tAll = useTranslations('followUp')
  const { actions } = usePlayground()
  const drafts = useDrafts()
  const isMasked = which === 'masked' && built.tokens.before !== built.tokens.after
  const name = usePlaygroundState((state) =>
    conversationFileName(state, [...(isMasked ? ['masked'] : []), `${tAll('fileName')}.json`]),
  )
  const threadName = usePlaygroundState((state) =>
    conversationFileName(state, [`${tAll('fileName')}.json`]),
  )
  const text = built.texts[which]
  const copy = async (copied: string, label: string) => {
    if (await writeClipboard(copied)) actions.notify('copied_export', { name: label })
    else actions.notify('copy_failed', {}, 'error')
  }
  const save = () => {
    saveBlob(name, new Blob([text, '\n'], { type: 'application/json' }))
    actions.notify('downloaded', { name })
  }
  const open = () => {
    actions.openText(`${text}\n`, name, { kind: 'paste' })
    actions.notify('opened', { name })
  }
  const keep = () =>
    drafts.keepThread({
      key: `follow-up/${built.thread.key}`,
      name: threadName,
      text: built.thread.text,
      turns: built.turns,
    })
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <Button size="small" kind="primary" onClick={() => void copy(`${text}\n`, t('json'))}>
        <Copy className="size-3.5" aria-hidden />
        {t('copyJson')}
      </Button>
      <Button size="small" onClick={() => void copy(writeCurl(JSON.parse(text)), t('curl'))}>
        <Terminal className="size-3.5" aria-hidden />
        {t('copyCurl')}
      </Button>
      <Button size="small" onClick={() => void keep()}>
        <History className="size-3.5" aria-hidden />
        {t('keep')}
      </Button>
      <Menu
        trigger={
          <IconButton label={t('more')}>
            <Ellipsis aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<FilePlus2 aria-hidden />} onSelect={open}>
          {t('open')}
        </MenuItem>
        <MenuItem icon={<FileDown aria-hidden />} onSelect={save}>
          {t('save')}
        </MenuItem>
      </Menu>
    </div>
  )
}
