import { History } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button } from '../ui/button'
import { IconButton } from '../ui/icon-button'
import { useDrafts } from './drafts-context'

export interface RecentButtonProps {
  /** Shows an icon instead of the word. */
  readonly isIcon?: boolean
}

/** Opens the list of transcripts stored in this browser. */
export function RecentButton({ isIcon = false }: RecentButtonProps) {
  const t = useTranslations('drafts')
  const drafts = useDrafts()
  const open = () => drafts.show('recent')
  if (isIcon) {
    return <IconButton label={t('recent')} tooltip={t('recentTip')} onClick={open} icon={History} />
  }
  return (
    <Button kind="ghost" title={t('recentTip')} onClick={open}>
      {t('recent')}
    </Button>
  )
}
