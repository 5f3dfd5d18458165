import { useTranslations } from 'use-intl'
import { embedCode } from '@/lib/state/link/embed-code'
import { usePlayground } from '../playground-context'
import { Button } from '../ui/button'
import { writeClipboard } from '../write-clipboard'
import { siteUrl } from './page-url'

export interface EmbedButtonProps {
  readonly isDisabled: boolean
  readonly onDone: () => void
}

/** Copies HTML that shows the sample and its figures in another page. */
export function EmbedButton({ isDisabled, onDone }: EmbedButtonProps) {
  const t = useTranslations('embed')
  const { store, actions } = usePlayground()
  const copy = async () => {
    const isCopied = await writeClipboard(embedCode(store.getState(), siteUrl(), t('title')))
    if (isCopied) actions.notify('copied_export', { name: t('code') })
    else actions.notify('copy_failed', {}, 'error')
    onDone()
  }
  return (
    <Button disabled={isDisabled} onClick={() => void copy()}>
      {t('copy')}
    </Button>
  )
}
