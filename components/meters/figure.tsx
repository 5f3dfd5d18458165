import { type ReactNode, useEffect, useState } from 'react'
import type { BeforeAfter } from '@/lib/core/mask/measure-request'
import { useView } from '../playground-context'

/**
 * A heading, a number (see `ChangeLine`) and a few words. Its height is reserved, so that nothing moves when it is known.
 * It is old while a new one is computed.
 */
export function Figure(props: {
  readonly title: ReactNode
  readonly children: ReactNode
  readonly aside: ReactNode
  readonly isOld: boolean
}) {
  const { title, children, aside, isOld } = props
  return (
    <div className="@container min-w-0 flex-1 basis-36 px-4 first:basis-full sm:px-6 sm:first:basis-60">
      <h2 className="flex min-h-7 items-center font-medium text-soft text-sm leading-[1.125rem] max-lg:min-h-9">
        {title}
      </h2>
      <div
        aria-busy={isOld}
        className={`flex min-h-13.5 flex-wrap content-start items-baseline gap-x-3 max-sm:min-h-15 min-[87rem]:min-h-9 ${isOld ? 'faded-late' : ''}`}
      >
        {children}
        <p className="text-soft text-sm">{aside}</p>
      </div>
    </div>
  )
}

const LEAD = 'font-normal text-[0.68em] text-faint tracking-normal'

/** Classes of changes. */
export const TONES = { good: 'text-good', warn: 'text-warn', plain: 'text-soft' }

/** Values before and after in large type, with the change in percent; a dash if unknown. It shrinks with its column and does not wrap. */
export function ChangeLine(props: {
  readonly change: BeforeAfter | undefined
  readonly format: (value: number, beside: number) => string
  readonly unit?: string
  /** True for the one figure that decides; the others are smaller and have no colour. */
  readonly isMain?: boolean
}) {
  const { change, format, unit, isMain = false } = props
  const { t, format: figures } = useView('meters')
  const dash = t('unknown')
  const before = change === undefined ? dash : format(change.before, change.after)
  const after = change === undefined ? dash : format(change.after, change.before)
  return (
    <p
      className={`@min-[13rem]:whitespace-nowrap leading-tight tracking-tight ${isMain ? 'font-semibold text-[clamp(1.25rem,8.4cqi,1.75rem)]' : 'font-medium text-[clamp(1rem,5.6cqi,1.25rem)]'}`}
    >
      <span className="sr-only">{`${t('before', { value: before })} ${t('after', { value: after })}`}</span>
      <span aria-hidden>
        {change !== undefined && <span className={LEAD}>{before}</span>}
        <span className="inline-grid *:col-start-1 *:row-start-1">
          {change !== undefined && (
            // The width of the widest value is reserved, so that nothing moves when the value changes.
            <span className="invisible">
              <span className={`px-[0.3em] ${LEAD}`}>→</span>
              {change.before > change.after ? before : after}
            </span>
          )}
          <span className="flex items-baseline">
            {change !== undefined && (
              <span className={`grow px-[0.3em] text-center ${LEAD}`}>→</span>
            )}
            {after}
          </span>
        </span>
        {unit !== undefined && ` ${unit}`}
        {change !== undefined && change.after !== change.before && (
          <span
            className={`text-[max(0.6em,0.75rem)] tracking-normal @min-[13rem]:ml-2 @max-[13rem]:block ${TONES[isMain ? toneOf(change) : 'plain']}`}
          >
            {figures.change(change.before, change.after)}
          </span>
        )}
      </span>
    </p>
  )
}

/** A decrease is good. */
export function toneOf(change: BeforeAfter | undefined): keyof typeof TONES {
  if (change === undefined || change.after === change.before) return 'plain'
  return change.after < change.before ? 'good' : 'warn'
}

/** Delay before a change is announced, in milliseconds. */
const QUIET_MS = 600

/** Announces a sentence to screen readers once it stops changing. */
export function Announcement({ sentence }: { readonly sentence: string }) {
  const [said, setSaid] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSaid(sentence), QUIET_MS)
    return () => clearTimeout(timer)
  }, [sentence])
  return (
    <p aria-live="polite" className="sr-only">
      {said}
    </p>
  )
}
