import { useState } from 'react'
import { loadWithTexts } from '../load-with-texts'
import { useWindowEvents } from '../use-events'
import { isTyping } from './use-shortcuts'

const Loaded = loadWithTexts(async () => (await import('./keys-dialog')).KeysDialog)

/** Opens the list of keys with `?`. */
export function LazyKeys() {
  // Undefined before it is opened for the first time.
  const [isOpen, setOpen] = useState<boolean>()
  useWindowEvents({
    keydown: (event) => {
      if (event.key !== '?' || isTyping(event.target)) return
      event.preventDefault()
      setOpen(true)
    },
  })
  return isOpen !== undefined && <Loaded isOpen={isOpen} onOpenChange={setOpen} />
}
