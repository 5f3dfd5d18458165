import type { RepeatedCallsReport } from '@/lib/core/loop/find-repeated-calls'
import { GUARDS, type Guard } from '@/lib/core/loop/guards'
import { conversationOf } from '@/lib/state/document/selectors'
import { loopReportOf } from '@/lib/state/loop/found-repeats'
import {
  isDefaultLoopSettings,
  LOOP_FIELDS,
  type LoopField,
  loopFieldOf,
  turnTimeOf,
} from '@/lib/state/loop/loop-settings'
import { loopSavingsOf } from '@/lib/state/loop/repeated-calls'
import { useReportTexts } from '../cost/use-report-texts'
import { NumberField } from '../numbers/number-field'
import {
  conversationKeyOf,
  useComputedState,
  usePlaygroundState,
  useShown,
  useShownOf,
  useView,
} from '../playground-context'
import { Button } from '../ui/button'
import { Collapsible } from '../ui/collapsible'
import { SwitchField } from '../ui/switch-field'
import { FindingList } from './finding-list'

/** Repeated calls of the conversation shown, and the calls that guards would have stopped. */
export function RepeatedCalls() {
  // The filter and the open rows are those of one conversation.
  return <FindingsOfConversation key={usePlaygroundState(conversationKeyOf)} />
}

function FindingsOfConversation() {
  const { t } = useView('loop.repeatedCalls')
  const conversation = usePlaygroundState(conversationOf)
  const settings = usePlaygroundState(({ loop }) => loop.settings)
  const at = usePlaygroundState((state) => state.conversation)
  const count = usePlaygroundState(({ read }) => read?.model.conversations.length ?? 0)
  // While a limit is dragged, the last findings stay visible.
  const { shown: report } = useShown(loopReportOf)
  const findings = report?.findings

  const note = (text: string) => <p className="max-w-prose text-soft">{text}</p>
  if (conversation === undefined) return note(t('empty'))
  const isTurnless = conversation.turnCount === 0
  // Results that answer no call can repeat an error too.
  if (isTurnless && !findings?.length) return note(t('noTurns'))
  if (report === undefined || findings === undefined) return note(t('working'))
  const guards = Object.values(settings.guards)
  const seconds = turnTimeOf(settings) / 1000
  const { clock, timedTurns: timed } = report
  const timing = clock === 'timestamps' || timed === 0 ? clock : 'turn_order_some'
  return (
    <div className="min-h-0 flex-1 overflow-y-auto pb-5">
      <SavedFigures report={report} />
      {/* The clock of the guards, and the conversation that the findings are about. */}
      <p className="max-w-[100ch] text-soft text-sm">
        {t(`clock.${timing}`, { seconds, turns: conversation.turnCount, timed })}{' '}
        {count > 1 && t('shown', { at: at + 1, count })}
      </p>
      <div className="mb-3 lg:max-w-80">
        <Collapsible
          label={t('guards.label')}
          trailing={t('guards.summary', { on: guards.filter(Boolean).length, all: guards.length })}
        >
          <GuardFields report={report} />
        </Collapsible>
      </div>
      {findings.length > 0 ? (
        <FindingList findings={findings} />
      ) : (
        <div className="max-w-prose">
          <p className="font-medium">{t('nothingTitle')}</p>
          <p className="mt-1 text-soft">
            {t('nothing', {
              calls: report.calls,
              turns: conversation.turnCount,
              limit: settings.limits.callsPerBatch,
              errors: settings.fewestErrors,
            })}
          </p>
        </div>
      )}
    </div>
  )
}

const SELECTORS = [loopSavingsOf]

/** What the guards save: calls, tokens of their results, and the cost of the session. */
function SavedFigures({ report }: { report: RepeatedCallsReport }) {
  const { t } = useView('loop.repeatedCalls.figures')
  const { format, rule } = useReportTexts()
  const state = useComputedState(SELECTORS)
  const key = state && conversationKeyOf(state)
  const { shown: savings } = useShownOf(state && loopSavingsOf(state), key)
  const { stopped, calls } = report
  const tokens = stopped.reduce((sum, call) => sum + call.tokens, 0)
  const session = (side: 'before' | 'after') => {
    const [was, guarded] = [savings?.was[side], savings?.guarded[side]]
    if (was === undefined || guarded === undefined || was.tokens === guarded.tokens) return false
    return t('session', {
      side,
      isPriced: was.costs.cached === undefined ? 'no' : 'yes',
      change: format.change(was.tokens, guarded.tokens),
      before: format.money(was.costs.cached, guarded.costs.cached),
      after: format.money(guarded.costs.cached, was.costs.cached),
      rule,
    })
  }
  const sentences = [
    t('stopped', { count: stopped.length, calls, tokens }),
    session('before'),
    session('after'),
    stopped.length > 0 && t('note'),
  ]
  return <p className="max-w-[100ch]">{sentences.filter(Boolean).join(' ')}</p>
}

const FIELDS_OF_GUARD: Readonly<Record<Guard, readonly LoopField[]>> = {
  batch_limit: ['callsPerBatch'],
  duplicate: [],
  ANTI_LOOP_ID: ['idWindow'],
  ANTI_LOOP_SIGNATURE: ['signatureWindow', 'signatureTurns'],
}

/** The guards: a switch, the limits and the number of stopped calls of each. Changes apply at once. */
export function GuardFields({ report }: { report: RepeatedCallsReport }) {
  const { t, actions } = useView('loop.repeatedCalls.guards')
  const settings = usePlaygroundState(({ loop }) => loop.settings)
  // A signature has a window in seconds and one in turns. Only the one of the current clock applies.
  const without = report.clock === 'timestamps' ? 'signatureTurns' : 'signatureWindow'
  const fieldOf = (field: LoopField) => {
    const { minimum, maximum, unit } = LOOP_FIELDS[field]
    const isByTurns = field === 'idWindow' && report.clock === 'turn_order'
    const turns = Math.ceil(settings.limits.idWindow / turnTimeOf(settings))
    return (
      <div key={field} className="text-soft [&_label]:font-normal">
        <NumberField
          label={t(field)}
          unit={t(unit)}
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
      <Button size="small" disabled={isDefaultLoopSettings(settings)} onClick={actions.resetLoop}>
        {t('reset')}
      </Button>
    </div>
  )

  /** Counts stopped calls, and those of them that reuse the id of a different call. */
  function stopsOf(guard: Guard): string {
    const stopped = report.stopped.filter((call) => call.guard === guard)
    if (stopped.length === 0) return t('stopsNothing')
    const tokens = stopped.reduce((sum, call) => sum + call.tokens, 0)
    const isById = guard === 'ANTI_LOOP_ID'
    const others = isById ? stopped.filter(({ hasReusedId }) => hasReusedId).length : 0
    const stops = t('stops', { count: stopped.length, tokens })
    return others === 0 ? stops : `${stops}; ${t('others', { count: others })}`
  }
}
