import { X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../ui/button'
import { IconButton } from '../ui/icon-button'
import { FIELD_SURFACE } from '../ui/popover'

/** A name in a list of the policy, with a button that removes it. */
export function ListedName(props: {
  readonly name: string
  readonly removeLabel: string
  readonly onRemove: () => void
  readonly note?: ReactNode
}) {
  return (
    <div className="flex items-center gap-2">
      <span className="min-w-0 flex-1 font-mono text-sm wrap-anywhere">{props.name}</span>
      {props.note !== undefined && <span className="shrink-0 text-soft text-sm">{props.note}</span>}
      <IconButton label={props.removeLabel} onClick={props.onRemove}>
        <X aria-hidden />
      </IconButton>
    </div>
  )
}

/** A field that adds a name to a list of the policy; blank ones are not added. */
export function AddName(props: {
  readonly label: string
  readonly addLabel: string
  readonly maxLength?: number | undefined
  readonly onAdd: (name: string) => void
}) {
  const id = useId()
  const [text, setText] = useState('')
  const isBlank = text.trim() === ''
  return (
    <form
      className="mt-1 flex gap-1.5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBlank) props.onAdd(text)
        setText('')
      }}
    >
      <label htmlFor={id} className="sr-only">
        {props.label}
      </label>
      <input
        id={id}
        value={text}
        maxLength={props.maxLength}
        placeholder={props.label}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={(event) => setText(event.currentTarget.value)}
        className={`h-7 min-w-0 flex-1 px-2 font-mono text-sm placeholder:font-sans placeholder:text-faint pointer-coarse:h-11 ${FIELD_SURFACE}`}
      />
      <Button type="submit" size="small" disabled={isBlank}>
        {props.addLabel}
      </Button>
    </form>
  )
}
