'use client'

import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../ui/button'
import { Menu, MenuItem } from '../ui/menu'
import { LazyChatDialog } from './lazy-chat-dialog'

/** Ways to save the conversation other than in its own format. */
export function SaveMenu({ isDisabled }: { readonly isDisabled: boolean }) {
  const t = useTranslations('panes')
  // Undefined until it is opened first: its code comes then.
  const [isOpen, setOpen] = useState<boolean>()
  return (
    <>
      <Menu
        align="end"
        className="w-72"
        trigger={
          <Button
            kind="ghost"
            size="small"
            aria-label={t('downloadMore')}
            disabled={isDisabled}
            className="w-6 rounded-l-none px-0! pointer-coarse:w-9"
          >
            <ChevronDown className="size-3.5" aria-hidden />
          </Button>
        }
      >
        <MenuItem description={t('chat.itemNote')} onSelect={() => setOpen(true)}>
          {t('chat.item')}
        </MenuItem>
      </Menu>
      {isOpen !== undefined && <LazyChatDialog isOpen={isOpen} onOpenChange={setOpen} />}
    </>
  )
}
