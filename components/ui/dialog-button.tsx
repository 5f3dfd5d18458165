import { type ComponentProps, type ComponentType, useRef, useState } from 'react'
import { Button } from './button'
import type { DialogState } from './dialog'

/** A button that opens a dialog, which may load when it is first opened. */
export function DialogButton(
  props: Omit<ComponentProps<typeof Button>, 'onClick' | 'ref'> & {
    readonly Content: ComponentType<DialogState>
  },
) {
  const { Content, ...rest } = props
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState<boolean>()
  return (
    <>
      <Button ref={button} aria-haspopup="dialog" onClick={() => setOpen(true)} {...rest} />
      {isOpen !== undefined && (
        <Content isOpen={isOpen} onOpenChange={setOpen} returnFocusTo={button} />
      )}
    </>
  )
}
