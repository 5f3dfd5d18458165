import { useEffect, useRef, useState } from 'react'
import { batchNumber, isSamePolicy, type MaskPolicy } from '@/lib/core/policy/policy'
import { cheapestFirst, PRESETS, type Preset, savesNothing } from '@/lib/core/share/presets'
import { conversationOf } from '@/lib/state/document/selectors'
import { figuresOfOffer, type OfferedFigures } from '@/lib/state/policy/offered-policies'
import { usePlaygroundState, useShown, useView } from '../playground-context'
import { Button, linkTo, SourceLink } from '../ui/button'
import { usePreview } from '../use-preview'

const POLICIES = PRESETS.map(({ policy }) => policy)

/** Presets with what each does to the session, sorted once all are replayed, its source, and the way to the mechanisms. */
export function PresetList({ onUsed }: { readonly onUsed: () => void }) {
  const { t, actions } = useView('share.presets')
  const turns = usePlaygroundState((state) => conversationOf(state)?.turnCount)
  useEffect(() => actions.offer(POLICIES), [actions])
  const { shown: figures, isOld } = useShown((state) => figuresOfOffer(state, POLICIES))
  const sorted = figures && cheapestFirst(figures)
  const list = useRef<HTMLUListElement>(null)
  const [order, setOrder] = useState<typeof sorted>()
  // Once, and not while a row is pointed at or has the focus.
  const sort = () => {
    if (order === undefined && !list.current?.matches(':hover, :has(:focus-visible)'))
      setOrder(sorted)
  }
  useEffect(sort)
  return (
    <div className="max-lg:px-5 max-lg:py-3">
      <p className="text-soft">
        {t(turns === 0 ? 'noTurns' : 'description')}{' '}
        <span className="pointer-coarse:hidden">{t('point')}</span>
      </p>
      {figures !== undefined && savesNothing(figures) && (
        <p className="mt-1 font-medium">
          {t('nothing', { isMasked: figures.some(masksSome) ? 'yes' : 'no' })}
        </p>
      )}
      <ul
        ref={list}
        onPointerLeave={sort}
        className={`mt-2 flex flex-col divide-y ${isOld ? 'faded' : ''}`}
      >
        {(order ?? PRESETS.map((_, at) => ({ at }))).map(({ at }) => (
          <PresetRow
            key={at}
            preset={PRESETS[at] as Preset}
            isCheapest={sorted?.some((row) => row.at === at && row.isCheapest) === true}
            figures={figures?.[at]}
            onUsed={onUsed}
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

const masksSome = ({ before, after }: OfferedFigures) => after.tokens !== before.tokens

function PresetRow(props: {
  readonly preset: Preset
  readonly figures: OfferedFigures | undefined
  readonly isCheapest: boolean
  readonly onUsed: () => void
}) {
  const { preset, figures, isCheapest, onUsed } = props
  const { policy } = preset
  const { t, actions } = useView('share.presets')
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
          <span className="text-soft text-sm tabular-nums">
            <PresetFacts policy={policy} />
          </span>
        </p>
        <Figures figures={figures} />
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

/** As the timeline has them under the preset. */
function Figures({ figures }: { readonly figures: OfferedFigures | undefined }) {
  const { t, format } = useView('share.presets')
  if (figures === undefined) return <p className="text-faint">{t('pending')}</p>
  const { before, after, forgotten } = figures
  const [from, to] = [before.costs.cached, after.costs.cached]
  return (
    <p className="tabular-nums">
      {t.rich('figures', {
        isPriced: from === undefined || to === undefined ? 'no' : 'yes',
        cost: format.money(to, from),
        costChange: format.change(from, to),
        tokens: format.shortNumber(after.tokens),
        change: format.change(before.tokens, after.tokens),
        count: forgotten,
        b: (words) => <strong className="font-semibold">{words}</strong>,
      })}
    </p>
  )
}

function PresetFacts({ policy }: { policy: MaskPolicy }) {
  const { t } = useView('share.presets.facts')
  const turns = usePlaygroundState((state) => conversationOf(state)?.turnCount)
  const { windowTurns, batchTurns, keepErrors, neverGrow } = policy
  const isLonger = turns !== undefined && windowTurns > turns
  const facts = [
    isLonger ? t('longer', { n: windowTurns, turns }) : t('window', { n: windowTurns }),
    batchTurns !== 1 && t('batch', { n: batchNumber(policy) }),
    t(keepErrors ? 'errors' : 'noErrors'),
    neverGrow && t('growth'),
  ]
  return facts.filter(Boolean).join(' · ')
}
