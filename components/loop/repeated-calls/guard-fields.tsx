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
