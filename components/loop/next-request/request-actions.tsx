'use client'

import { Copy, Ellipsis, FileDown, FilePlus2, History, ScrollText, Terminal } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { writeCurl } from '@/lib/core/loop/write-request'
import { conversationFileName } from '@/lib/state/files/chat-body'
import type { BuiltNextRequest } from '@/lib/state/loop/next-request-builder'
import { useDrafts } from '../../drafts/drafts-context'
import { usePlayground } from '../../playground-context'
import { copyText, saveFile } from '../../save-file'
import { Button } from '../../ui/button'
import { IconButton } from '../../ui/icon-button'
import { Menu, MenuItem } from '../../ui/menu'

/** Copies, saves or opens the request as it is shown. */
export function RequestActions(props: {
  readonly built: BuiltNextRequest
  readonly which: 'whole' | 'masked'
}) {
  const { built, which } = props
  const t = useTranslations('nextRequest.preview')
  const fileName = useTranslations('nextRequest')('fileName')
  const { store: page, actions } = usePlayground()
  const drafts = useDrafts()
  const isMasked = which === 'masked' && built.tokens.before !== built.tokens.after
  const nameOf = (...parts: string[]) =>
    conversationFileName(page.getState(), [...parts, `${fileName}.json`])
  const shownName = () => nameOf(...(isMasked ? ['masked'] : []))
  const text = built.texts[which]
  const store = (isAsked: boolean) => {
    const { key, text } = built.savedConversation
    const saved = { key: `follow-up/${key}`, name: nameOf(), text, turns: built.turns }
    return drafts.saveConversation(saved, isAsked)
  }
  const copy = (copied: string, label: string) => {
    void store(false)
    return copyText(actions, copied, 'copied_export', { name: label })
  }
  const save = () => {
    void store(false)
    saveFile(actions, shownName(), [text, '\n'])
  }
  const open = () => {
    void store(false)
    const name = shownName()
    actions.openText(`${text}\n`, name, { kind: 'paste' })
    actions.notify('opened', { name })
  }
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <Button
        size="small"
        kind="primary"
        onClick={() => void copy(`${text}\n`, t('json'))}
        icon={Copy}
      >
        {t('copyJson')}
      </Button>
      <Button
        size="small"
        onClick={() => void copy(writeCurl(JSON.parse(text)), t('curl'))}
        icon={Terminal}
      >
        {t('copyCurl')}
      </Button>
      <Button size="small" onClick={() => void store(true)} icon={History}>
        {t('saveAsConversation')}
      </Button>
      <Menu trigger={<IconButton label={t('more')} icon={Ellipsis} />}>
        <MenuItem icon={<FilePlus2 aria-hidden />} onSelect={open}>
          {t('open')}
        </MenuItem>
        <MenuItem icon={<FileDown aria-hidden />} onSelect={save}>
          {t('save')}
        </MenuItem>
        <MenuItem icon={<ScrollText aria-hidden />} onSelect={() => void copy(built.log, t('log'))}>
          {t('copyLog')}
        </MenuItem>
      </Menu>
    </div>
  )
}
