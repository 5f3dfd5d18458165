import { useEffect, useMemo, useRef, useState } from 'react'
import { batchNumber, isSamePolicy, type MaskPolicy } from '@/lib/core/policy/policy'
import { cheapestFirst, PRESETS, presetPolicy, savesNothing } from '@/lib/core/share/presets'
import { measuredMechanismOf } from '@/lib/state/costs/tried-mechanism'
import { conversationOf } from '@/lib/state/document/selectors'
import { turnTokensOf } from '@/lib/state/link/export-input'
import { figuresOfOffer, type OfferedFigures } from '@/lib/state/policy/offered-policies'
import { requestTokensOf } from '@/lib/state/policy/policy-facts'
import { figuresOf } from '@/lib/state/policy/policy-view'
import { usePlaygroundState, useShown, useView } from '../playground-context'
import { useGoTo } from '../shell/page-link'
import { Button, linkTo, SourceLink } from '../ui/button'
import { usePreview } from '../use-preview'

/** Presets with what each does to the session, sorted once all are replayed, its source, and what converting it loses. */
export function PresetList({ onUsed }: { readonly onUsed: () => void }) {
  const { t, actions } = useView('share.presets')
  const turnTokens = usePlaygroundState(turnTokensOf)
  const policies = useMemo(() => PRESETS.map((one) => presetPolicy(one, turnTokens)), [turnTokens])
  useEffect(() => actions.offer(policies), [policies, actions])
  const { shown: figures, isOld } = useShown((state) => figuresOfOffer(state, policies))
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
        {t(turnTokens?.length === 0 ? 'noTurns' : 'description')}{' '}
        <span className="pointer-coarse:hidden">{t('point')}</span>{' '}
        {t.rich('asThey', {
          link: linkTo(() => {
            actions.setView('mechanisms')
            onUsed()
          }),
        })}
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
            {...{ at, onUsed }}
            isCheapest={sorted?.some((row) => row.at === at && row.isCheapest) === true}
            policy={policies[at]}
            figures={figures?.[at]}
          />
        ))}
      </ul>
    </div>
  )
}

const masksSome = ({ before, after }: OfferedFigures) => after.tokens !== before.tokens

function PresetRow(props: {
  readonly at: number
  readonly policy: MaskPolicy | undefined
  readonly figures: OfferedFigures | undefined
  readonly isCheapest: boolean
  readonly onUsed: () => void
}) {
  const { at, policy, figures, isCheapest, onUsed } = props
  const preset = PRESETS[at] as (typeof PRESETS)[number]
  const { t, actions } = useView('share.presets')
  const preview = usePreview()
  const current = usePlaygroundState((state) => state.policy)
  const isInUse = policy !== undefined && isSamePolicy(current, policy)
  const name = t(`names.${preset.id}`)
  const use = () => {
    actions.changePolicy(policy ?? {})
    onUsed()
  }
  return (
    <li className="flex items-start justify-between gap-4 py-2.5" {...preview(policy)}>
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <strong className="font-medium">{name}</strong>
          {isCheapest && <span className="text-good">★ {t('cheapest')}</span>}
          <span className="text-soft text-sm tabular-nums">
            {policy === undefined ? t('needsTurns') : <PresetFacts policy={policy} />}
          </span>
        </p>
        {policy !== undefined && <Figures figures={figures} />}
        <p className="text-soft text-sm">
          {t(`notes.${preset.id}`)} <OwnRule of={preset.id} onUsed={onUsed} />{' '}
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
        disabled={policy === undefined || isInUse}
        aria-label={isInUse ? undefined : t('useNamed', { name })}
        onClick={use}
      >
        {t(isInUse ? 'inUse' : 'use')}
      </Button>
    </li>
  )
}

/** A link to the mechanism that a preset or an export stands for, by its own rule, with its cost if it is known. */
export function OwnRule({ of: id, onUsed }: { of: string; onUsed: () => void }) {
  const { t, format, actions } = useView('share.presets')
  const go = useGoTo()
  const mechanism = PRESETS.find((preset) => preset.id === id)?.mechanism ?? ''
  const before = usePlaygroundState((state) => figuresOf(state)?.before.costs.cached)
  const measured = usePlaygroundState(measuredMechanismOf({ id: mechanism }))
  const cost = measured?.measure.cost
  if (mechanism === '') return null
  const show = () => {
    actions.tryMechanism({ id: mechanism, settings: {} })
    actions.setView('mechanisms')
    onUsed()
    go('/')
  }
  const isKnown = cost === undefined ? 'no' : 'yes'
  const figures = { cost: format.money(cost, before), change: format.change(before, cost) }
  return linkTo(show)(t('ownRule', { isKnown, ...figures }))
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
  const { t, format } = useView('share.presets.facts')
  const turns = usePlaygroundState((state) => conversationOf(state)?.turnCount)
  const counted = usePlaygroundState(requestTokensOf)
  const { windowTurns, batchTurns, keepErrors, triggerTokens, neverGrow } = policy
  const isLonger = turns !== undefined && windowTurns > turns
  const facts = [
    isLonger ? t('longer', { n: windowTurns, turns }) : t('window', { n: windowTurns }),
    batchTurns !== 1 && t('batch', { n: batchNumber(policy) }),
    t(keepErrors ? 'errors' : 'noErrors'),
    triggerTokens > 0 &&
      t('trigger', { n: format.number(triggerTokens), counted: format.number(counted) }),
    neverGrow && t('growth'),
  ]
  return facts.filter(Boolean).join(' · ')
}
