import { useMemo, useRef } from 'react'
import { useDeferredState } from '@/components/playground-context'
import { differingKinds, markKindsOf, pinnedMarksOf } from '@/lib/state/document/message-facts'
import { layoutTimeline } from '@/lib/state/timeline/timeline-layout'
import { belowHeadroom, TimelineMarks, useDeviceSize } from './marks'

/** Policy A, upside down under policy B; what both do alike is pale. */
export function PinnedStrip() {
  const strip = useRef<HTMLDivElement>(null)
  const size = useDeviceSize(strip)
  const marks = useDeferredState(pinnedMarksOf)
  const others = useDeferredState(markKindsOf)
  const columns = useMemo(() => {
    if (marks === undefined || others === undefined) return []
    return layoutTimeline(
      { ...marks, kinds: differingKinds(marks.kinds, others) },
      belowHeadroom(size),
    )
  }, [marks, others, size])
  return (
    <div aria-hidden className="relative h-[calc(var(--bars)/2)]">
      <div ref={strip} className="-scale-y-100 absolute inset-0">
        <TimelineMarks columns={columns} size={size} />
      </div>
      {(['A', 'B'] as const).map((letter) => (
        <strong
          key={letter}
          className={`absolute left-0 font-semibold text-accent text-xs ${letter === 'A' ? 'bottom-0' : 'bottom-full'}`}
        >
          {letter}
        </strong>
      ))}
    </div>
  )
}
