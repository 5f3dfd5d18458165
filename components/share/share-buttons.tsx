import { Share2 } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { loadWithTexts } from '../load-with-texts'
import { IconOnPhone } from '../ui/button'
import { DialogButton } from '../ui/dialog-button'

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
