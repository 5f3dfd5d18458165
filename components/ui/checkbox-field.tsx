import { Checkbox } from '@base-ui/react/checkbox'
import { Check } from 'lucide-react'
import { type ReactNode, useId } from 'react'

export interface CheckboxFieldProps {
  readonly label: ReactNode
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly description?: ReactNode
  /** Shown at the end of the line, such as a count. */
  readonly trailing?: ReactNode
  readonly isDisabled?: boolean
}

/** A checkbox with a label. */
export function CheckboxField(props: CheckboxFieldProps) {
  const { label, isChecked, onChange, description, trailing, isDisabled = false } = props
  const id = useId()
  return (
    <div className="flex min-h-7 items-start gap-2 py-1 pointer-coarse:min-h-11 pointer-coarse:items-center">
      <Checkbox.Root
        id={id}
        checked={isChecked}
        onCheckedChange={onChange}
        disabled={isDisabled}
        aria-describedby={description === undefined ? undefined : `${id}-description`}
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
        {description !== undefined && (
          <p id={`${id}-description`} className="text-soft text-sm">
            {description}
          </p>
        )}
      </div>
      {trailing !== undefined && <span className="shrink-0 text-soft text-sm">{trailing}</span>}
    </div>
  )
}
