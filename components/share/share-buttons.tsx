import { Share2 } from 'lucide-react'
import { type ComponentProps, type ComponentType, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { loadWithTexts } from '../load-with-texts'
import { Button, IconOnPhone } from '../ui/button'
import type { DialogState } from '../ui/dialog'

const LazyUse = loadWithTexts(async () => (await import('./use-dialog')).UseDialog)
const LazyShare = loadWithTexts(async () => (await import('./share-dialog')).ShareDialog)

/** Links and a picture for others, and the policy for the user's stack. */
export function ShareButtons() {
  const t = useTranslations('share')
  return (
    <>
      <DialogButton Content={LazyShare}>
        <IconOnPhone icon={Share2}>{t('button')}</IconOnPhone>
      </DialogButton>
      <DialogButton kind="primary" Content={LazyUse}>
        {t('use')}
      </DialogButton>
    </>
  )
}

/** A button that opens a dialog, which may load when it is first opened. */
function DialogButton(
  props: Omit<ComponentProps<typeof Button>, 'onClick' | 'ref'> & {
    readonly Content: ComponentType<DialogState>
  },
) {
  const { Content, ...rest } = props
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState<boolean>()
  return (
    <>
      <Button ref={button} aria-haspopup="dialog" onClick={() => setOpen(true)} {...rest} />
      {isOpen !== undefined && (
        <Content isOpen={isOpen} onOpenChange={setOpen} returnFocusTo={button} />
      )}
    </>
  )
}
