import { useTranslations } from 'use-intl'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'

/** Pins the policy as A, or ends the comparison. */
export function CompareButton() {
  const t = useTranslations('share.compare')
  const { store, actions } = usePlayground()
  const isPinned = usePlaygroundState(({ pinned }) => pinned !== undefined)
  return (
    <Button
      kind="ghost"
      size="small"
      title={isPinned ? undefined : t('startTip')}
      onClick={() => actions.pin(isPinned ? undefined : store.getState().policy)}
    >
      {t(isPinned ? 'end' : 'start')}
    </Button>
  )
}
