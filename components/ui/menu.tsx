import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import { type ReactElement, type ReactNode, useId } from 'react'
import { POPUP_SURFACE } from './popover'

const ITEM =
  'flex min-h-7 w-full cursor-pointer select-none items-start gap-2 rounded-md px-2 py-1 text-left outline-none data-highlighted:bg-line/60 data-disabled:cursor-default data-disabled:opacity-45 pointer-coarse:min-h-11 pointer-coarse:items-center'

interface MenuProps {
  /** A button; it must accept a ref and spread its attributes. */
  readonly trigger: ReactElement
  readonly children: ReactNode
  readonly side?: 'top' | 'bottom' | 'left' | 'right'
  readonly align?: 'start' | 'center' | 'end'
  readonly className?: string
}

/** A button that opens a list of actions. */
export function Menu({ trigger, children, side, align = 'start', className = '' }: MenuProps) {
  const id = useId()
  return (
    <Base.Root>
      <Base.Trigger id={id} render={trigger} />
      {/* A landmark of its own, since it is outside those of the page. */}
      <Base.Portal render={<section aria-labelledby={id} />}>
        <Base.Positioner
          side={side ?? 'bottom'}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50"
        >
          <Base.Popup
            // A long menu scrolls, so it takes the focus.
            tabIndex={0}
            className={`${POPUP_SURFACE} max-h-(--available-height) min-w-40 max-w-[calc(100vw-1rem)] overflow-y-auto p-1 outline-none ${className}`}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

export function MenuItem(props: {
  readonly children: ReactNode
  readonly onSelect: () => void
  readonly icon?: ReactNode
  readonly description?: ReactNode
  /** Shown at the end of the line, such as a shortcut. */
  readonly trailing?: ReactNode
  readonly isDisabled?: boolean
}) {
  const { children, onSelect, icon, description, trailing, isDisabled = false } = props
  return (
    <Base.Item className={ITEM} onClick={onSelect} disabled={isDisabled}>
      {icon !== undefined && (
        <span className="mt-0.5 shrink-0 text-soft [&_svg]:size-4">{icon}</span>
      )}
      <span className="min-w-0 flex-1">
        {children}
        {description !== undefined && (
          <span className="block text-soft text-sm">{description}</span>
        )}
      </span>
      {trailing !== undefined && <span className="shrink-0 text-soft text-sm">{trailing}</span>}
    </Base.Item>
  )
}

interface MenuChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly {
    readonly value: Value
    readonly label: ReactNode
    readonly description?: ReactNode
  }[]
  readonly onValueChange: (value: Value) => void
}

/** A group of radio items with a heading. */
export function MenuChoice<Value extends string>(props: MenuChoiceProps<Value>) {
  const { label, value, options, onValueChange } = props
  return (
    <Base.Group>
      <MenuHeading>{label}</MenuHeading>
      <Base.RadioGroup value={value} onValueChange={(next: Value) => onValueChange(next)}>
        {options.map((option) => (
          <Base.RadioItem key={option.value} value={option.value} closeOnClick className={ITEM}>
            <span className="mt-0.5 w-3.5 shrink-0 text-accent">
              <Base.RadioItemIndicator>
                <Check className="size-3.5" aria-hidden />
              </Base.RadioItemIndicator>
            </span>
            <span className="min-w-0 flex-1">
              {option.label}
              {option.description !== undefined && (
                <span className="block text-soft text-sm">{option.description}</span>
              )}
            </span>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  )
}

interface MenuGroupProps {
  readonly label: string
  readonly children: ReactNode
}

/** Items under a heading. */
export function MenuGroup({ label, children }: MenuGroupProps) {
  return (
    <Base.Group>
      <MenuHeading>{label}</MenuHeading>
      {children}
    </Base.Group>
  )
}

function MenuHeading({ children }: { readonly children: ReactNode }) {
  return (
    <Base.GroupLabel className="px-2 pt-1.5 pb-1 text-faint text-xs">{children}</Base.GroupLabel>
  )
}
