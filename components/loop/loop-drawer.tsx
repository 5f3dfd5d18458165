'use client'

import { useTranslations } from 'use-intl'
import { KEPT } from '@/lib/state/kept-keys'
import { BottomDrawer } from '../drawer/bottom-drawer'
import { useKeptChoice } from '../drawer/use-kept-choice'
import { SegmentedControl } from '../ui/segmented-control'
import { LOOP_PARTS } from './loop-parts'

const PART_IDS = LOOP_PARTS.map(({ id }) => id)

/** Everything about the tool loop of the conversation shown, one part at a time. */
export function LoopDrawer() {
  const t = useTranslations('loop')
  const [kept, setPart] = useKeptChoice(KEPT.loopPart, PART_IDS)
  const part = LOOP_PARTS.find(({ id }) => id === kept) ?? LOOP_PARTS[0]
  return (
    <BottomDrawer drawer="loop" title={t('title')} closeLabel={t('close')} isFixed>
      <div className="mb-3 shrink-0">
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
