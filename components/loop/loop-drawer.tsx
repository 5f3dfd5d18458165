'use client'

import { type ComponentType, useState } from 'react'
import { useTranslations } from 'use-intl'
import { historyFindingsOf, maskingFindingsOf } from '@/lib/state/integrity/history-findings'
import { findingsOf } from '@/lib/state/loop/loop-findings'
import { STORAGE_KEYS } from '@/lib/state/storage-keys'
import { BottomDrawer } from '../drawer/bottom-drawer'
import { LOOP_PART_IDS, type LoopPart } from '../drawer/use-open-drawer'
import { useStoredChoice } from '../drawer/use-stored-choice'
import { useDeferredState, usePlaygroundState } from '../playground-context'
import { LazyRepairs } from '../repair/lazy-repairs'
import { SegmentedControl } from '../ui/segmented-control'
import { Checks } from './checks/checks'
import { ErrorRules } from './error-rules/error-rules'
import { LoopSentence } from './loop-sentence'
import { LazyNextRequest } from './next-request/lazy-next-request'
import { RepeatedCalls } from './repeated-calls/repeated-calls'
import { LazySimulator } from './simulator/lazy-simulator'

/** The views of the parts. Their names are in `messages/en/loop-messages`. */
const VIEWS: Readonly<Record<LoopPart, ComponentType>> = {
  repeated_calls: RepeatedCalls,
  checks: Checks,
  arguments: LazyRepairs,
  errors: ErrorRules,
  next_request: LazyNextRequest,
  simulator: LazySimulator,
}

/** Repeated calls, checks, broken arguments, error rules, next request and simulator of the conversation shown. */
export function LoopDrawer() {
  const t = useTranslations('loop')
  const [stored, setPart] = useStoredChoice(STORAGE_KEYS.loopPart, LOOP_PART_IDS)
  const [pickedFor, setPickedFor] = useState<number>()
  const document = usePlaygroundState(({ source }) => source.id)
  const hasCalls = useDeferredState((state) => (findingsOf(state)?.length ?? 0) > 0)
  const hasProblems = useDeferredState(
    (state) => historyFindingsOf(state).length + maskingFindingsOf(state).length > 0,
  )
  const part = pickedFor === document && stored ? stored : partWithFindings()
  const View = VIEWS[part]

  /** Until the user picks a part, a list without findings gives way to the one that has some. */
  function partWithFindings(): LoopPart {
    if (stored === 'checks') return hasCalls && !hasProblems ? 'repeated_calls' : 'checks'
    if (stored === undefined || stored === 'repeated_calls')
      return hasProblems && !hasCalls ? 'checks' : 'repeated_calls'
    return stored
  }
  return (
    <BottomDrawer drawer="loop" title={t('title')} closeLabel={t('close')} isFixed>
      <LoopSentence />
      <div className="mb-3 shrink-0">
        <SegmentedControl
          isWrapping
          label={t('parts')}
          value={part}
          options={LOOP_PART_IDS.map((id) => ({ value: id, label: t(`part.${id}`) }))}
          onValueChange={(next) => {
            setPart(next)
            setPickedFor(document)
          }}
        />
      </div>
      <View />
    </BottomDrawer>
  )
}
