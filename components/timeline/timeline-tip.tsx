import type { MessageDescription } from './use-message-description'

/**
 * Says what the mark under the pointer is. Screen readers get the same words as the strip's value.
 * `place` runs from 0 to 1 over the strip; the tip stays within it.
 */
export function TimelineTip({
  description,
  place,
}: {
  readonly description: MessageDescription
  readonly place: number
}) {
  const percent = `${place * 100}%`
  return (
    <div aria-hidden className="pointer-events-none absolute inset-x-0 top-full z-30 mt-1.5">
      <div
        className="absolute w-max max-w-[min(22rem,100%)] rounded-lg bg-ink px-3 py-2 text-paper text-sm"
        style={{ left: percent, transform: `translateX(-${percent})` }}
      >
        <p className="font-medium">{description.title}</p>
        <p className="opacity-75">{description.detail}</p>
      </div>
    </div>
  )
}
