import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { isSamePolicy, POLICY_FIELDS } from '@/lib/core/policy/policy'
import { LINK_DEFAULTS } from '@/lib/core/share/link/settings-link'
import { isTrying } from '@/lib/state/costs/tried-mechanism'
import { hasSessionSettings, sessionSettingsOf } from '@/lib/state/policy/session-policy'
import { movesOf } from '@/lib/state/timeline/window-edge'
import { SessionMap } from '../cost/setting-map'
import { loadWithTexts } from '../load-with-texts'
import { SessionLine } from '../meters/session-figures'
import { useDeferredState, usePlaygroundState, useView } from '../playground-context'
import { SKIP_TARGETS } from '../shell/skip-links'
import { useIsNarrow } from '../shell/use-is-narrow'
import { Button } from '../ui/button'
import { Sheet } from '../ui/dialog'
import { Popover } from '../ui/popover'
import { SegmentedControl } from '../ui/segmented-control'
import { AdvancedFields, KeepErrorsField } from './advanced-fields'
import { PlaceholderField } from './placeholder-field'
import { PolicyField } from './policy-field'
import { WindowField } from './window-field'

/** The policy form. Changes apply at once and can be undone. */
export function PolicyPanel() {
  const { t } = useView('policy')
  return (
    <section
      id={SKIP_TARGETS.policy}
      aria-label={t('title')}
      className="-outline-offset-2 h-full overflow-y-auto overflow-x-hidden overscroll-contain py-3 pl-6"
    >
      {/* As wide with a scrollbar as without: it covers the space at the right. */}
      <div className="w-67.75">
        <PolicyFields />
      </div>
    </section>
  )
}

/** The settings of the policy, or of the mechanism that is tried in its place. */
function PolicyFields() {
  const isTried = usePlaygroundState(isTrying)
  return (
    <div className="flex flex-col gap-3.5">
      <MechanismChoice />
      {isTried ? (
        <MechanismPanel />
      ) : (
        <>
          <div className="-mx-2 -my-1 flex flex-wrap gap-1">
            <PresetsButton />
            <CompareButton />
            <ResetButton />
          </div>
          <PolicyOrigin />
          {/* In the order of their table; the other extensions come last. */}
          {POLICY_FIELDS.filter(({ isExtension }) => !isExtension).map(({ key }) => (
            <BaseField key={key} setting={key} />
          ))}
          <AdvancedFields />
        </>
      )}
    </div>
  )
}

const MechanismMenu = loadWithTexts(
  async () => (await import('../mechanisms/mechanism-panel')).MechanismMenu,
  { Waiting: () => <div className="h-7 pointer-coarse:h-11" /> },
)

/** Looks like the choice, which loads when it is opened. */
function MechanismChoice() {
  const { t } = useView('policy.mechanism')
  const [isOpened, setOpened] = useState(false)
  const isTried = usePlaygroundState(isTrying)
  if (isOpened || isTried) return <MechanismMenu isOpen={isOpened} />
  return (
    <button
      type="button"
      role="combobox"
      aria-label={t('label')}
      aria-haspopup="listbox"
      aria-expanded={false}
      onClick={() => setOpened(true)}
      className="flex h-7 w-full cursor-pointer items-center gap-1.5 rounded-md border border-line bg-raised px-1.5 hover:border-ghost pointer-coarse:h-11"
    >
      {t('own')}
      <ChevronDown className="size-3.5 shrink-0 text-faint" aria-hidden />
    </button>
  )
}
const MechanismPanel = loadWithTexts(
  async () => (await import('../mechanisms/mechanism-panel')).MechanismPanel,
)

/** Where the settings come from, and a button for the recommended ones or the default. */
function PolicyOrigin() {
  const { t, actions } = useView('policy.origin')
  const untitled = useView('drafts').t('untitled')
  const isDefault = usePlaygroundState(({ policy }) => isSamePolicy(policy, LINK_DEFAULTS))
  const from = usePlaygroundState(({ policyFrom }) => policyFrom)
  const isSet = useDeferredState(hasSessionSettings)
  const isKnown = useDeferredState(sessionSettingsOf) !== undefined
  const kind =
    from === 'session' ? from : isDefault ? 'default' : typeof from === 'object' ? 'kept' : from
  const words = t(kind, { name: typeof from === 'object' ? from.name || untitled : '' })
  return (
    <p className="-my-2 flex items-baseline gap-2 text-soft text-sm">
      <span className="min-w-0 truncate" title={words}>
        {words}
      </span>
      {isKnown && !isSet && (
        <Button kind="link" className="shrink-0 whitespace-nowrap" onClick={actions.setForSession}>
          {t('toSession')}
        </Button>
      )}
      {isSet && !isDefault && (
        <Button kind="link" className="shrink-0 whitespace-nowrap" onClick={actions.resetPolicy}>
          {t('toDefault')}
        </Button>
      )}
    </p>
  )
}

function BaseField({ setting: key }: Pick<Parameters<typeof PolicyField>[0], 'setting'>) {
  if (key === 'windowTurns')
    return (
      <>
        <WindowField field={<PolicyField setting={key} />} />
        <div>
          <PolicyField setting="batchTurns" />
          <AdvanceChoice />
          <SessionMap />
        </div>
      </>
    )
  if (key === 'keepErrors') return <KeepErrorsField />
  if (key === 'placeholderTemplate') return <PlaceholderField />
  return <PolicyField setting={key} />
}

/** The step of *every N turns* until the user chooses another. */
const USUAL_STEP = 16

/** When the window advances; at break-even, the turns at which it moved. */
function AdvanceChoice() {
  const { t, format, actions } = useView('policy.advance')
  const batchTurns = usePlaygroundState(({ policy }) => policy.batchTurns)
  const moves = useDeferredState(movesOf)
  const moved =
    moves &&
    t('moved', {
      count: moves.length,
      turns: moves.map(({ turn }) => format.number(turn + 1)).join(', '),
    })
  const value = batchTurns === 'auto' ? 'auto' : batchTurns === 1 ? 'each' : 'every'
  const sum = (kind: 'cost' | 'saved') =>
    moves?.reduce((all, move) => all + (move[kind] ?? 0), 0) ?? 0
  const [cost, saved] = [sum('cost'), sum('saved')]
  const settings = { each: 1, every: USUAL_STEP, auto: 'auto' } as const
  return (
    <div className="mt-1.5 mb-2 *:w-full">
      <SegmentedControl
        label={t('label')}
        kind="quiet"
        value={value}
        options={(['each', 'every', 'auto'] as const).map((choice) => ({
          value: choice,
          label: t(choice),
        }))}
        onValueChange={(next) =>
          next !== value && actions.changePolicy({ batchTurns: settings[next] })
        }
      />
      {moved !== undefined && (
        <div className="mt-1 min-h-[2lh] text-soft text-sm">
          <p className="truncate" title={moved}>
            {moved}
          </p>
          {moves?.[0]?.saved !== undefined &&
            t('movesSaved', {
              isFree: cost === 0 ? 'yes' : 'no',
              cost: format.money(cost),
              saved: format.money(saved),
            })}
        </div>
      )}
    </div>
  )
}

function ResetButton() {
  const { t, actions } = useView('policy')
  const isDefault = usePlaygroundState(({ policy }) => isSamePolicy(policy, LINK_DEFAULTS))
  return (
    <Button
      kind="ghost"
      size="small"
      className="ml-auto"
      disabled={isDefault}
      aria-label={t('reset')}
      onClick={actions.resetPolicy}
    >
      {t('resetShort')}
    </Button>
  )
}

/** The policy as a sheet for narrow screens, with the cost of the session, which it covers. */
export function PolicySheet() {
  const { t } = useView('policy')
  return (
    <Sheet title={t('title')} trigger={<Button>{t('open')}</Button>} footer={<SessionLine />}>
      <div className="px-5 py-3">
        <PolicyFields />
      </div>
    </Sheet>
  )
}

/** Pins the policy as A, or ends the comparison. */
function CompareButton() {
  const { t, store, actions } = useView('share.compare')
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

const PresetList = loadWithTexts(async () => (await import('../share/preset-list')).PresetList)

/** Opens the presets: below the instrument, which shows what they do, or in a sheet on a narrow screen. */
function PresetsButton() {
  const { t } = useView('share.presets')
  const [isOpen, setOpen] = useState(false)
  const Surface = useIsNarrow() ? Sheet : Popover
  return (
    <Surface
      title={t('title')}
      className="w-[36rem]"
      isFixed
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button kind="ghost" size="small">
          {t('button')}
        </Button>
      }
    >
      <PresetList onUsed={() => setOpen(false)} />
    </Surface>
  )
}
