import { type ComponentType, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { historyFindingsOf, maskingFindingsOf } from '@/lib/state/integrity/history-findings'
import { findingsOf } from '@/lib/state/loop/repeated-calls'
import { STORAGE_KEYS } from '@/lib/state/sync-stored'
import { BottomDrawer, DrawerSentence } from '../drawer/bottom-drawer'
import { LOOP_PART_IDS, type LoopPart, useStoredChoice } from '../drawer/use-open-drawer'
import { loadWithTexts } from '../load-with-texts'
import { useDeferredState, usePlaygroundState } from '../playground-context'
import { SegmentedControl } from '../ui/segmented-control'
import { Checks } from './checks'
import { ErrorRules } from './error-rules/error-rules'
import { useFound } from './loop-opener'
import { RepeatedCalls } from './repeated-calls'

const NextRequest = loadWithTexts(
  async () => (await import('./next-request/next-request')).NextRequest,
)
const Simulator = loadWithTexts(
  async () => (await import('./simulator/simulator-view')).SimulatorView,
)
const Repairs = loadWithTexts(async () => (await import('../repair/repairs')).Repairs)

/** The views of the parts. Their names are in `messages/en/loop-messages`. */
const VIEWS: Readonly<Record<LoopPart, ComponentType>> = {
  repeated_calls: RepeatedCalls,
  checks: Checks,
  arguments: Repairs,
  errors: ErrorRules,
  next_request: NextRequest,
  simulator: Simulator,
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

const OTHERS = ['cycle', 'error', 'beyond', 'id'] as const

/** What was found in the calls and what it costs. Renders nothing if nothing was found. */
function LoopSentence() {
  const t = useTranslations('loop.repeatedCalls.sentence')
  const format = useFormatter()
  const { calls, repeats, tokens, others, broken, problems, added } = useFound()
  const parts = [
    repeats > 0 && t('repeats', { count: repeats, tokens }),
    ...OTHERS.map((kind) => {
      const count = others.filter((finding) => finding.kind === kind).length
      return count > 0 && t(`others.${kind}`, { count })
    }),
    broken > 0 && t('broken', { count: broken }),
    problems > 0 && t('problems', { count: problems }),
    added > 0 && t('added', { count: added }),
  ].filter((part) => part !== false)
  if (parts.length === 0) return null
  return <DrawerSentence>{t('found', { calls, parts: format.list(parts) })}</DrawerSentence>
}
