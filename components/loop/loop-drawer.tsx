'use client'

import type { ComponentType } from 'react'
import { useTranslations } from 'use-intl'
import { STORAGE_KEYS } from '@/lib/state/storage-keys'
import { BottomDrawer } from '../drawer/bottom-drawer'
import { useStoredChoice } from '../drawer/use-stored-choice'
import { SegmentedControl } from '../ui/segmented-control'
import { Checks } from './checks/checks'
import { ErrorRules } from './error-rules/error-rules'
import { LazyNextRequest } from './next-request/lazy-next-request'
import { RepeatedCalls } from './repeated-calls/repeated-calls'
import { LazySimulator } from './simulator/lazy-simulator'

/** The parts of the drawer in order, each with its view. Their names are in `messages/en/loop-messages`. */
const LOOP_PARTS = [
  { id: 'repeated_calls', View: RepeatedCalls },
  { id: 'checks', View: Checks },
  { id: 'errors', View: ErrorRules },
  { id: 'next_request', View: LazyNextRequest },
  { id: 'simulator', View: LazySimulator },
] as const satisfies readonly {
  readonly id: string
  readonly View: ComponentType
}[]

const PART_IDS = LOOP_PARTS.map(({ id }) => id)

/** Repeated calls, checks, error rules, next request and simulator of the conversation shown. */
export function LoopDrawer() {
  const t = useTranslations('loop')
  const [stored, setPart] = useStoredChoice(STORAGE_KEYS.loopPart, PART_IDS)
  const part = LOOP_PARTS.find(({ id }) => id === stored) ?? LOOP_PARTS[0]
  return (
    <BottomDrawer drawer="loop" title={t('title')} closeLabel={t('close')} isFixed>
      <div className="mb-3 shrink-0 max-sm:-mx-5 max-sm:overflow-x-auto max-sm:px-5">
        <SegmentedControl
          label={t('parts')}
          value={part.id}
          options={LOOP_PARTS.map(({ id }) => ({ value: id, label: t(`part.${id}`) }))}
          onValueChange={setPart}
        />
      </div>
      <part.View />
    </BottomDrawer>
  )
}
