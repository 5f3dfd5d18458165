'use client'

import { useTranslations } from 'use-intl'
import { settingsFragment } from '@/lib/state/settings-url'
import { usePlayground } from '../playground-context'
import { Button } from '../ui/button'

/** Copies a link with the settings as they are; no transcript is in it. */
export function ShareButton() {
  const t = useTranslations('shell')
  const { store, actions } = usePlayground()
  const copy = async () => {
    const fragment = settingsFragment(store.getState())
    const address = `${location.origin}${location.pathname}`
    const link = fragment === '' ? address : `${address}#${fragment}`
    try {
      await navigator.clipboard.writeText(link)
      actions.notify('copied_link', { chars: link.length })
    } catch {
      actions.notify('copy_failed', {}, 'error')
    }
  }
  return (
    <Button kind="primary" title={t('shareTip')} onClick={() => void copy()}>
      {t('share')}
    </Button>
  )
}
