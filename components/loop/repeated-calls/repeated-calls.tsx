import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { RepeatedCallsReport } from '@/lib/core/loop/find-repeated-calls'
import { GUARDS, type Guard } from '@/lib/core/loop/tool-call-manager'
import { conversationOf } from '@/lib/state/document/selectors'
import { findingsOf } from '@/lib/state/loop/loop-findings'
import {
  isDefaultLoopSettings,
  LOOP_FIELDS,
  type LoopField,
  loopFieldOf,
  turnTimeOf,
} from '@/lib/state/loop/loop-settings'
import { loopReportOf, loopSavingsOf } from '@/lib/state/loop/repeated-calls'
import { useReportTexts } from '../../cost/drawer/use-report-texts'
import { NumberField } from '../../numbers/number-field'
import {
  conversationKeyOf,
  useComputedState,
  usePlaygroundState,
  useShown,
  useShownOf,
  useView,
} from '../../playground-context'
import { useIsNarrow } from '../../shell/use-is-narrow'
import { Button } from '../../ui/button'
import { Collapsible } from '../../ui/collapsible'
import { SwitchField } from '../../ui/switch-field'
import { FindingsTable } from './findings-table'

/** Repeated calls of the conversation shown, and the calls that guards would have stopped. */
export function RepeatedCalls() {
  // The filter and the open rows are those of one conversation.
  return <FindingsOfConversation key={usePlaygroundState(conversationKeyOf)} />
}

function FindingsOfConversation() {
  const t = useTranslations('loop.repeatedCalls')
  const isNarrow = useIsNarrow()
  const conversation = usePlaygroundState(conversationOf)
  const settings = usePlaygroundState(({ loop }) => loop.settings)
  const at = usePlaygroundState((state) => state.conversation)
  const count = usePlaygroundState(({ read }) => read?.model.conversations.length ?? 0)
  // While a limit is dragged, the last findings stay visible.
  const { shown: report } = useShown(loopReportOf)
  const { shown: findings } = useShown(findingsOf)

  const note = (text: string) => <p className="max-w-prose text-soft">{text}</p>
  if (conversation === undefined) return note(t('empty'))
  const isTurnless = conversation.turnCount === 0
  if (isTurnless && report === undefined) return note(t('noTurns'))
  if (report === undefined || findings === undefined) return note(t('working'))
  // Results that answer no call can repeat an error too.
  if (isTurnless && findings.length === 0) return note(t('noTurns'))
  const guards = Object.values(settings.guards)
  const seconds = turnTimeOf(settings) / 1000
  const { clock, timedTurns: timed } = report
  // The clock of the guards, and the conversation that the findings are about.
  const sentence = (
    <p className="min-w-0 flex-1 basis-80 text-soft text-sm">
      {clock === 'timestamps'
        ? t('clock.timestamps')
        : timed === 0
          ? t('clock.turn_order', { seconds })
          : t('clock.turn_order_some', { seconds, turns: conversation.turnCount, timed })}{' '}
      {count > 1 && t('shown', { at: at + 1, count })}
    </p>
  )
  return (
    <div className="flex min-h-0 flex-1 gap-6 max-lg:flex-col max-lg:gap-3">
      {isNarrow && (
        <>
          <SavedFigures report={report} />
          <Collapsible
            label={t('guards.label')}
            trailing={
              <span>
                {t('guards.summary', { on: guards.filter(Boolean).length, all: guards.length })}
              </span>
            }
          >
            <GuardFields report={report} />
          </Collapsible>
        </>
      )}
      <div className="flex min-h-0 min-w-0 flex-1 flex-col pb-3">
        {findings.length > 0 ? (
          <FindingsTable findings={findings} sentence={sentence} />
        ) : (
          <div className="max-w-prose">
            <p className="font-medium">{t('nothingTitle')}</p>
            <p className="mt-1 mb-2 text-soft">
              {t('nothing', {
                calls: report.calls,
                turns: conversation.turnCount,
                limit: settings.limits.callsPerBatch,
                errors: settings.fewestErrors,
              })}
            </p>
            {sentence}
          </div>
        )}
      </div>
      {isNarrow === false && (
        <div className="w-76 shrink-0 overflow-y-auto border-line border-l pb-4 pl-5 max-xl:w-62 xl:-mt-9.5">
          <div className="border-line xl:mr-8 border-b pb-2">
            <SavedFigures report={report} />
          </div>
          <GuardFields report={report} />
        </div>
      )}
    </div>
  )
}

const SELECTORS = [loopSavingsOf]

/** Savings of the guards: stopped calls, tokens of their results, and the cost of the session. */
function SavedFigures({ report }: { report: RepeatedCallsReport }) {
  const t = useTranslations('loop.repeatedCalls.figures')
  const { format, rule } = useReportTexts()
  const state = useComputedState(SELECTORS)
  const { shown: savings } = useShownOf(
    state && loopSavingsOf(state),
    state && conversationKeyOf(state),
  )
  const { stopped, calls } = report
  const tokens = stopped.reduce((sum, call) => sum + call.tokens, 0)
  return (
    <section aria-label={t('label')}>
      <dl className="flex flex-col gap-y-0.5">
        <Figure label={t('stopped')} value={format.number(stopped.length)}>
          {t('stoppedOf', { calls })}
        </Figure>
        <Figure label={t('results')} value={format.number(tokens)}>
          {t('tokens', { tokens })}
        </Figure>
        {session(t('unmasked'), 'before')}
        {session(t('masked'), 'after')}
      </dl>
      {stopped.length > 0 && <p className="mt-1.5 text-soft text-sm">{t('note')}</p>}
    </section>
  )

  /** The session before and after the guards. */
  function session(label: string, side: 'before' | 'after') {
    const [was, guarded] = [savings?.was[side], savings?.guarded[side]]
    if (was === undefined || guarded === undefined) return <Figure label={label} value="–" />
    const change = guarded.tokens - was.tokens
    if (change === 0) return <Figure label={label} value={t('unchanged')} />
    const [before, after] = [was.costs.cached, guarded.costs.cached]
    const cost = before !== undefined && after !== undefined && signed(after - before, format.money)
    return (
      <Figure
        label={label}
        value={signed(change, format.number)}
        tone={change < 0 ? 'text-good' : 'text-warn'}
        change={format.change(was.tokens, guarded.tokens)}
        below={cost ? t('cost', { cost, rule }) : undefined}
      />
    )
  }
}

function signed(change: number, format: (value: number) => string): string {
  return `${change < 0 ? '−' : change > 0 ? '+' : ''}${format(Math.abs(change))}`
}

function Figure(props: {
  readonly label: string
  readonly value: string
  readonly tone?: string
  readonly change?: string
  readonly children?: ReactNode
  /** Shown on a separate line. */
  readonly below?: string | undefined
}) {
  const { label, value, tone = '', change, children, below } = props
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt className="text-soft">{label}</dt>
      <dd className="ml-auto whitespace-nowrap text-right">
        <span className="font-semibold">{value}</span>
        {change !== undefined && <span className={`ml-1.5 font-medium ${tone}`}>{change}</span>}
        {children !== undefined && <span className="text-soft"> {children}</span>}
        {below !== undefined && <span className="block text-soft text-sm">{below}</span>}
      </dd>
    </div>
  )
}

const FIELDS_OF_GUARD: Readonly<Record<Guard, readonly LoopField[]>> = {
  batch_limit: ['callsPerBatch'],
  duplicate: [],
  ANTI_LOOP_ID: ['idWindow'],
  ANTI_LOOP_SIGNATURE: ['signatureWindow', 'signatureTurns'],
}

const UNIT_OF_FIELD = {
  callsPerBatch: 'calls',
  idWindow: 'seconds',
  signatureWindow: 'seconds',
  signatureTurns: 'turns',
  historyEntries: 'calls',
  fewestErrors: 'times',
} as const satisfies Record<LoopField, string>

/** The guards: a switch, the limits and the number of stopped calls of each. Changes apply at once. */
export function GuardFields({ report }: { report: RepeatedCallsReport }) {
  const { t, actions } = useView('loop.repeatedCalls.guards')
  const settings = usePlaygroundState(({ loop }) => loop.settings)
  // A signature has a window in seconds and one in turns. Only the one of the current clock applies.
  const without = report.clock === 'timestamps' ? 'signatureTurns' : 'signatureWindow'
  const fieldOf = (field: LoopField) => {
    const { minimum, maximum } = LOOP_FIELDS[field]
    const isByTurns = field === 'idWindow' && report.clock === 'turn_order'
    const turns = Math.ceil(settings.limits.idWindow / turnTimeOf(settings))
    return (
      <div key={field} className="text-soft [&_label]:font-normal">
        <NumberField
          label={t(field)}
          unit={t(UNIT_OF_FIELD[field])}
          value={loopFieldOf(settings, field)}
          minimum={minimum}
          maximum={maximum}
          onValueChange={(value) => actions.setLoopField(field, value)}
          description={isByTurns ? t('inTurns', { turns }) : undefined}
        />
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-3">
        <h3 className="font-semibold">{t('label')}</h3>
        <Button
          kind="ghost"
          size="small"
          className="-mr-2"
          disabled={isDefaultLoopSettings(settings)}
          onClick={actions.resetLoop}
        >
          {t('reset')}
        </Button>
      </div>
      {GUARDS.map((guard) => (
        // biome-ignore lint/a11y/useSemanticElements: the legend of a fieldset would take the place of the switch's label
        <div key={guard} role="group" aria-label={t(guard)}>
          <SwitchField
            label={t(guard)}
            isOn={settings.guards[guard]}
            onChange={(isOn) => actions.setGuard(guard, isOn)}
            description={settings.guards[guard] ? stopsOf(guard) : t('isOff')}
          />
          {settings.guards[guard] &&
            FIELDS_OF_GUARD[guard].filter((field) => field !== without).map(fieldOf)}
        </div>
      ))}
      <div className="border-line border-t pt-2">
        {(['historyEntries', 'fewestErrors'] as const).map(fieldOf)}
      </div>
    </div>
  )

  /** Counts stopped calls, and those of them that reuse the id of a different call. */
  function stopsOf(guard: Guard): string {
    const stopped = report.stopped.filter((call) => call.guard === guard)
    if (stopped.length === 0) return t('stopsNothing')
    const tokens = stopped.reduce((sum, call) => sum + call.tokens, 0)
    const reused = report.repeatedIds.filter(({ isSameCall }) => !isSameCall)
    const others =
      guard === 'ANTI_LOOP_ID'
        ? stopped.filter(({ call }) => reused.some((other) => other.call === call)).length
        : 0
    const stops = t('stops', { count: stopped.length, tokens })
    return others === 0 ? stops : `${stops}; ${t('others', { count: others })}`
  }
}
