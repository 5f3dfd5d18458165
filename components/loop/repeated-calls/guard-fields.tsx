'use client'

import { useTranslations } from 'use-intl'
import type { RepeatedCallsReport } from '@/lib/core/loop/repeated-calls-report'
import { GUARDS, type Guard } from '@/lib/core/loop/tool-call-manager'
import {
  isDefaultLoopSettings,
  LOOP_FIELDS,
  type LoopField,
  loopFieldOf,
  turnTimeOf,
} from '@/lib/state/loop/loop-settings'
import { NumberField } from '../../numbers/number-field'
import { usePlayground, usePlaygroundState } from '../../playground-context'
import { Button } from '../../ui/button'
import { SwitchField } from '../../ui/switch-field'

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
  const t = useTranslations('loop.repeatedCalls.guards')
  const { actions } = usePlayground()
  const settings = usePlaygroundState(({ loop }) => loop.settings)
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
            description={<Stops guard={guard} report={report} isOn={settings.guards[guard]} />}
          />
          {settings.guards[guard] &&
            FIELDS_OF_GUARD[guard]
              // A signature has a window in seconds and one in turns. Only the one of the current clock applies.
              .filter(
                (field) =>
                  field !== (report.clock === 'timestamps' ? 'signatureTurns' : 'signatureWindow'),
              )
              .map((field) => <Field key={field} field={field} report={report} />)}
        </div>
      ))}
      <div className="border-line border-t pt-2">
        <Field field="historyEntries" report={report} />
        <Field field="fewestErrors" report={report} />
      </div>
    </div>
  )
}

/** Counts stopped calls that reuse the id of a different call. */
function otherCallsOf({ stopped, repeatedIds }: RepeatedCallsReport, guard: Guard): number {
  if (guard !== 'ANTI_LOOP_ID') return 0
  const others = new Set(repeatedIds.flatMap(({ call, isSameCall }) => (isSameCall ? [] : [call])))
  return stopped.filter((call) => call.guard === guard && others.has(call.call)).length
}

function Stops(props: {
  readonly guard: Guard
  readonly report: RepeatedCallsReport
  readonly isOn: boolean
}) {
  const { guard, report, isOn } = props
  const t = useTranslations('loop.repeatedCalls.guards')
  const stopped = report.stopped.filter((call) => call.guard === guard)
  if (!isOn) return t('isOff')
  if (stopped.length === 0) return t('stopsNothing')
  const tokens = stopped.reduce((sum, call) => sum + call.tokens, 0)
  const others = otherCallsOf(report, guard)
  return `${t('stops', { count: stopped.length, tokens })}${others === 0 ? '' : `; ${t('others', { count: others })}`}`
}

function Field({ field, report }: { field: LoopField; report: RepeatedCallsReport }) {
  const t = useTranslations('loop.repeatedCalls.guards')
  const { actions } = usePlayground()
  const settings = usePlaygroundState(({ loop }) => loop.settings)
  const { minimum, maximum } = LOOP_FIELDS[field]
  const isByTurns = field === 'idWindow' && report.clock === 'turn_order'
  const turns = Math.ceil(settings.limits.idWindow / turnTimeOf(settings))
  return (
    <div className="text-soft [&_label]:font-normal">
      <NumberField
        label={t(field)}
        unit={t(UNIT_OF_FIELD[field])}
        value={loopFieldOf(settings, field)}
        minimum={minimum}
        maximum={maximum}
        onValueChange={(value) => actions.setLoopField(field, value)}
        {...(isByTurns ? { description: t('inTurns', { turns }) } : {})}
      />
    </div>
  )
}
