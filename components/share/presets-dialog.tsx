import { useTranslations } from 'use-intl'
import { batchNumber, isSamePolicy, type MaskPolicy } from '@/lib/core/policy/policy'
import { PRESETS, presetPolicy } from '@/lib/core/share/presets'
import { conversationOf } from '@/lib/state/document/selectors'
import { turnTokensOf } from '@/lib/state/link/export-input'
import { usePlaygroundState, useView } from '../playground-context'
import { Button } from '../ui/button'
import { Dialog, type DialogState } from '../ui/dialog'

/** Presets, each with its source and what the conversion to turns loses. */
export function PresetsDialog(state: DialogState) {
  const t = useTranslations('share')
  return (
    <Dialog
      title={t('presets.title')}
      description={t('presets.description')}
      className="w-[min(46rem,calc(100vw-2rem))]"
      {...state}
    >
      <ul className="flex flex-col divide-y">
        {PRESETS.map((preset) => (
          <PresetRow key={preset.id} preset={preset} onUsed={() => state.onOpenChange(false)} />
        ))}
      </ul>
    </Dialog>
  )
}

function PresetRow(props: { preset: (typeof PRESETS)[number]; onUsed: () => void }) {
  const { preset, onUsed } = props
  const { t, actions } = useView('share.presets')
  const policy = presetPolicy(preset, usePlaygroundState(turnTokensOf))
  const isInUse = usePlaygroundState(
    (state) => policy !== undefined && isSamePolicy(state.policy, policy),
  )
  const name = t(`names.${preset.id}`)
  const use = () => {
    if (policy === undefined) return
    actions.changePolicy(policy)
    actions.endGesture()
    onUsed()
  }
  return (
    <li className="flex items-start justify-between gap-4 py-2.5 first:pt-0 last:pb-0">
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <strong className="font-medium">{name}</strong>
          <span className="text-sm text-soft tabular-nums">
            {policy === undefined ? t('needsTurns') : <PresetFacts policy={policy} />}
          </span>
        </p>
        <p className="text-soft">{t(`notes.${preset.id}`)}</p>
        <p className="text-faint text-sm">
          {preset.source === undefined ? (
            t('fromProject')
          ) : (
            <>
              <a
                href={preset.source}
                target="_blank"
                rel="noreferrer"
                aria-label={t('sourceOf', { name })}
                className="underline decoration-1 underline-offset-3 hover:text-ink"
              >
                {t('source')}
              </a>
              , {t('read')}
            </>
          )}
        </p>
      </div>
      <Button
        size="small"
        disabled={policy === undefined || isInUse}
        aria-label={isInUse ? undefined : t('useNamed', { name })}
        onClick={use}
      >
        {t(isInUse ? 'inUse' : 'use')}
      </Button>
    </li>
  )
}

function PresetFacts({ policy }: { policy: MaskPolicy }) {
  const { t, format } = useView('share.presets.facts')
  const turns = usePlaygroundState((state) => conversationOf(state)?.turnCount)
  const { windowTurns, batchTurns, keepErrors, triggerTokens, neverGrow } = policy
  const isLonger = turns !== undefined && windowTurns > turns
  const facts = [
    isLonger ? t('longer', { n: windowTurns, turns }) : t('window', { n: windowTurns }),
    batchTurns !== 1 && t('batch', { n: batchNumber(policy) }),
    t(keepErrors ? 'errors' : 'noErrors'),
    triggerTokens > 0 && t('trigger', { n: format.number(triggerTokens) }),
    neverGrow && t('growth'),
  ]
  return facts.filter(Boolean).join(' · ')
}
