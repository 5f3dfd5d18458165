import { useEffect, useEffectEvent } from 'react'

type Handlers = { readonly [Type in keyof WindowEventMap]?: (event: WindowEventMap[Type]) => void }

/** Listens to events of the window while the component is shown. A handler that captures runs before those of elements. */
export function useWindowEvents(
  handlers: Handlers,
  { isActive = true, isCapture = false }: { isActive?: boolean; isCapture?: boolean } = {},
): void {
  const handle = useEffectEvent((event: Event) => {
    const handler = handlers[event.type as keyof WindowEventMap] as
      | ((event: Event) => void)
      | undefined
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
