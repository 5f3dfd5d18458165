import { type FocusEvent, type PointerEvent, useEffect } from 'react'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { usePlayground } from './playground-context'

/** Returns handlers for a choice, which preview its settings while the pointer or the keyboard is on it. */
export function usePreview() {
  const { preview } = usePlayground().actions
  const end = () => preview(undefined)
  useEffect(() => () => preview(undefined), [preview])
  return (settings: Partial<MaskPolicy> | undefined) => ({
    onPointerEnter: (event: PointerEvent) => event.pointerType !== 'touch' && preview(settings),
    onPointerLeave: end,
    onFocus: ({ target }: FocusEvent) => target.matches(':focus-visible') && preview(settings),
    onBlur: end,
  })
}
