'use client'

import { useTranslations } from 'use-intl'
import { GUARDS, type Guard } from '@/lib/core/loop/limits'
import type { LoopReport } from '@/lib/core/loop/loop-report'
import {
  isDefaultLoopSettings,
  LOOP_FIELDS,
  type LoopField,
  loopFieldOf,
  turnTimeOf,
} from '@/lib/state/loop-settings'
import { usePlayground, usePlaygroundState } from '../../playground-context'
import { Button } from '../../ui/button'
import { NumberField } from '../../ui/number-field'
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

/** A switch for each guard with its limits and what it would stop; each change counts at once. */
export function GuardFields({ report }: { readonly report: LoopReport }) {
  const t = useTranslations('loop.circles.guards')
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
        // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend would stand where the switch has its label
        <div key={guard} role="group" aria-label={t(guard)}>
          <SwitchField
            label={t(guard)}
            isOn={settings.guards[guard]}
            onChange={(isOn) => actions.setGuard(guard, isOn)}
            description={<Stops guard={guard} report={report} isOn={settings.guards[guard]} />}
          />
          {settings.guards[guard] &&
            FIELDS_OF_GUARD[guard]
              // Of the two windows of a signature only the one of the clock at hand counts.
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

/** Calls that are stopped for bearing an id of a call that did something else. */
function otherCallsOf({ stopped, repeatedIds }: LoopReport, guard: Guard): number {
  if (guard !== 'ANTI_LOOP_ID') return 0
  const others = new Set(repeatedIds.flatMap(({ call, isSameCall }) => (isSameCall ? [] : [call])))
  return stopped.filter((call) => call.guard === guard && others.has(call.call)).length
}

function Stops({
  guard,
  report,
  isOn,
}: {
  readonly guard: Guard
  readonly report: LoopReport
  readonly isOn: boolean
}) {
  const t = useTranslations('loop.circles.guards')
  const stopped = report.stopped.filter((call) => call.guard === guard)
  if (!isOn) return t('isOff')
  if (stopped.length === 0) return t('stopsNothing')
  const tokens = stopped.reduce((sum, call) => sum + call.tokens, 0)
  const others = otherCallsOf(report, guard)
  return `${t('stops', { count: stopped.length, tokens })}${others === 0 ? '' : `; ${t('others', { count: others })}`}`
}

function Field({ field, report }: { readonly field: LoopField; readonly report: LoopReport }) {
  const t = useTranslations('loop.circles.guards')
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
