import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'

/** Some events of the document come to the window too. */
type Events = WindowEventMap & Pick<DocumentEventMap, 'visibilitychange'>

/** Listens to events of the window while the component is shown. A handler that captures runs before those of elements. */
export function useWindowEvents(
  handlers: { readonly [Type in keyof Events]?: (event: Events[Type]) => void },
  { isActive = true, isCapture = false }: { isActive?: boolean; isCapture?: boolean } = {},
): void {
  const handle = useEffectEvent((event: Event) => {
    const handler = handlers[event.type as keyof Events] as ((event: Event) => void) | undefined
    handler?.(event)
  })
  const types = Object.keys(handlers).join(' ')
  useEffect(() => {
    if (!isActive) return
    const listening = new AbortController()
    const options = { capture: isCapture, signal: listening.signal }
    for (const type of types.split(' ')) addEventListener(type, handle, options)
    return () => listening.abort()
  }, [types, isActive, isCapture])
}

const MILLISECONDS_OF_CHANGE = 600

/** Returns the text once it has not changed for a moment; `first` until then. */
export function usePaused(text: string, first = text): string {
  const [paused, setPaused] = useState(first)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), MILLISECONDS_OF_CHANGE)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}

let isByTab = false

if (typeof window !== 'undefined')
  for (const type of ['keydown', 'pointerdown'])
    addEventListener(
      type,
      (event) => {
        isByTab = event instanceof KeyboardEvent && event.key === 'Tab'
      },
      true,
    )

/** True if the last key or press was Tab, so that a focus came by it. */
export const cameByTab = (): boolean => isByTab

let isUsed = false
const waiting = new Set<() => void>()

function use(): void {
  for (const type of USES) removeEventListener(type, use, true)
  isUsed = true
  for (const notify of waiting) notify()
}

const USES = ['pointermove', 'pointerdown', 'wheel', 'keydown', 'focusin', 'drop'] as const

if (typeof window !== 'undefined')
  for (const type of USES) addEventListener(type, use, { capture: true, passive: true })

/** False until the user moves the pointer, presses something or gives it the focus. */
export function useIsUsed(): boolean {
  return useSyncExternalStore(
    (notify) => {
      waiting.add(notify)
      return () => waiting.delete(notify)
    },
    () => isUsed,
    () => false,
  )
}
