import { useEffect } from 'react'
import { isSamePolicy } from '@/lib/core/policy/policy'
import { cheapestOf, PRESETS, type Preset } from '@/lib/core/share/presets'
import { figuresOfOffer, type OfferedFigures } from '@/lib/state/policy/offered-policies'
import { mechanismFigures } from '../cost/report/report-sentences'
import { useReportTexts } from '../cost/use-report-texts'
import { usePlaygroundState, useShown, useView } from '../playground-context'
import { Button, linkTo, SourceLink } from '../ui/button'
import { usePreview } from '../use-preview'

const POLICIES = PRESETS.map(({ policy }) => policy)

/** Presets with what each does to the session, its source, and the way to the mechanisms. */
export function PresetList({ onUsed }: { readonly onUsed: () => void }) {
  const { t, actions } = useView('share.presets')
  useEffect(() => actions.offer(POLICIES), [actions])
  const { shown: figures, isOld } = useShown((state) => figuresOfOffer(state, POLICIES))
  const cheapest = figures && cheapestOf(figures)
  return (
    <div className="max-lg:px-5 max-lg:py-3">
      <p className="text-soft">
        {t('description')} <span className="pointer-coarse:hidden">{t('point')}</span>
      </p>
      {cheapest?.includes(true) === false && <p className="mt-1 font-medium">{t('nothing')}</p>}
      <ul className={`mt-2 flex flex-col divide-y ${isOld ? 'faded' : ''}`}>
        {PRESETS.map((preset, at) => (
          <PresetRow
            key={preset.id}
            {...{ preset, onUsed }}
            isCheapest={cheapest?.[at] === true}
            figures={figures?.[at]}
          />
        ))}
      </ul>
      <p className="border-t py-2.5 text-soft">
        {t.rich('vendors', {
          link: linkTo(() => {
            actions.setView('mechanisms')
            onUsed()
          }),
        })}
      </p>
    </div>
  )
}

function PresetRow(props: {
  readonly preset: Preset
  readonly figures: OfferedFigures | undefined
  readonly isCheapest: boolean
  readonly onUsed: () => void
}) {
  const { preset, figures, isCheapest, onUsed } = props
  const { policy } = preset
  const { t, actions } = useView('share.presets')
  const texts = useReportTexts()
  const preview = usePreview()
  const current = usePlaygroundState((state) => state.policy)
  const isInUse = isSamePolicy(current, policy)
  const name = t(`names.${preset.id}`)
  const use = () => {
    actions.changePolicy(policy)
    onUsed()
  }
  return (
    <li className="flex items-start justify-between gap-4 py-2.5" {...preview(policy)}>
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <strong className="font-medium">{name}</strong>
          {isCheapest && <span className="text-good">★ {t('cheapest')}</span>}
        </p>
        <p className={figures === undefined ? 'text-faint' : 'tabular-nums'}>
          {figures === undefined
            ? t('pending')
            : mechanismFigures(
                texts,
                { ...costOf(figures.after), forgotten: figures.forgotten },
                costOf(figures.before),
              )}
        </p>
        <p className="text-soft text-sm">
          {t(`notes.${preset.id}`)}{' '}
          {preset.source === undefined ? (
            t('fromProject')
          ) : (
            <SourceLink href={preset.source} aria-label={t('sourceOf', { name })}>
              {t('source')}
            </SourceLink>
          )}
        </p>
      </div>
      <Button
        size="small"
        disabled={isInUse}
        aria-label={isInUse ? undefined : t('useNamed', { name })}
        onClick={use}
      >
        {t(isInUse ? 'inUse' : 'use')}
      </Button>
    </li>
  )
}

const costOf = ({ tokens, costs }: OfferedFigures['after']) => ({ tokens, cost: costs.cached })
