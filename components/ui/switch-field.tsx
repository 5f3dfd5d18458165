import { Checkbox } from '@base-ui/react/checkbox'
import { Switch } from '@base-ui/react/switch'
import { Check } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { FIELD_GROUP, FIELD_SURFACE } from './popover'

/** A switch that takes effect at once. */
export function SwitchField(props: {
  readonly label: ReactNode
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  /** Shown beside the label but not part of the name, such as a mark of change. */
  readonly mark?: ReactNode
  readonly description?: ReactNode
}) {
  const { label, isOn, onChange, mark, description } = props
  const id = useId()
  return (
    <div>
      <div className="flex min-h-7 items-center justify-between gap-3 pointer-coarse:min-h-11">
        <span className="flex min-w-0 items-center gap-1.5">
          <label htmlFor={id} className="cursor-pointer font-medium">
            {label}
          </label>
          {mark}
        </span>
        <Switch.Root
          id={id}
          checked={isOn}
          onCheckedChange={onChange}
          aria-describedby={description === undefined ? undefined : `${id}-description`}
          nativeButton
          render={<button type="button" />}
          className="relative h-4.5 w-7.5 shrink-0 cursor-pointer rounded-full bg-ghost transition-colors before:absolute before:-inset-x-1 before:-inset-y-1.5 before:content-[''] data-checked:bg-accent data-disabled:opacity-45 pointer-coarse:before:-inset-y-3.5"
        >
          <Switch.Thumb className="absolute top-0.5 left-0.5 size-3.5 rounded-full bg-[#fff] transition-transform data-checked:translate-x-3 dark:bg-paper" />
        </Switch.Root>
      </div>
      <p id={`${id}-description`} className="text-soft text-sm empty:hidden">
        {description}
      </p>
    </div>
  )
}

export function CheckboxField(props: {
  readonly label: ReactNode
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  /** Shown at the end of the line, such as a count. */
  readonly trailing?: ReactNode
}) {
  const { label, isChecked, onChange, trailing } = props
  const id = useId()
  return (
    <div className="flex min-h-7 items-start gap-2 py-1 pointer-coarse:min-h-11 pointer-coarse:items-center">
      <Checkbox.Root
        id={id}
        checked={isChecked}
        onCheckedChange={onChange}
        nativeButton
        render={<button type="button" />}
        className="relative mt-0.5 flex size-3.5 shrink-0 cursor-pointer items-center justify-center rounded-sm border border-ghost bg-raised text-paper before:absolute before:-inset-1.5 before:content-[''] data-checked:border-accent data-checked:bg-accent data-disabled:opacity-45 pointer-coarse:before:-inset-3.5"
      >
        <Checkbox.Indicator className="flex data-unchecked:hidden">
          <Check className="size-3" strokeWidth={3} aria-hidden />
        </Checkbox.Indicator>
      </Checkbox.Root>
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="cursor-pointer break-words">
          {label}
        </label>
      </div>
      {trailing !== undefined && <span className="shrink-0 text-soft text-sm">{trailing}</span>}
    </div>
  )
}

/** A text area that grows with its text; `isMono` is for code or data. It accepts a ref. */
export function TextArea({
  isMono = false,
  className = '',
  ...rest
}: ComponentProps<'textarea'> & { readonly isMono?: boolean }) {
  const font = isMono ? 'font-mono text-sm leading-normal' : ''
  return (
    <div className={`grid ${FIELD_GROUP}`}>
      <textarea
        spellCheck={!isMono}
        className={`field-sizing-content min-h-16 w-full resize-none overflow-hidden whitespace-pre-wrap break-words bg-transparent px-2.5 py-1.5 outline-none [overflow-wrap:anywhere] ${font} ${className}`}
        {...rest}
      />
    </div>
  )
}

/** A field of one line. */
export function TextInput({ className = '', ...rest }: ComponentProps<'input'>) {
  return (
    <input
      type="text"
      spellCheck={false}
      className={`h-7 px-2 text-sm pointer-coarse:h-11 ${FIELD_SURFACE} ${className}`}
      {...rest}
    />
  )
}
