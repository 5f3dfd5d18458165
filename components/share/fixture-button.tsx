import { useTranslations } from 'use-intl'
import { decisionsOf } from '@/lib/state/selectors'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { saveBlob } from '../save-file'
import { Button } from '../ui/button'

/** Saves input, policy, expected output and decisions for whoever ports the policy. */
export function FixtureButton() {
  const t = useTranslations('share')
  const { store, actions } = usePlayground()
  const isReady = usePlaygroundState((state) => decisionsOf(state) !== undefined)
  const save = async () => {
    const { fixtureOf } = await import('@/lib/state/fixture')
    const state = store.getState()
    const zip = fixtureOf(state)
    if (zip === undefined) return
    const stem = state.read?.source.name.replace(/\.[A-Za-z0-9]{1,8}$/, '') || 'conversation'
    const name = t('fixtureName', { stem })
    saveBlob(name, new Blob([zip], { type: 'application/zip' }))
    actions.notify('downloaded', { name })
  }
  return (
    <Button disabled={!isReady} onClick={() => void save()}>
      {t('fixtureButton')}
    </Button>
  )
}
