import { Menu as Base } from '@base-ui/react/menu'
import { Check, ChevronDown, type LucideIcon } from 'lucide-react'
import { type ReactElement, type ReactNode, useId } from 'react'
import { Button } from './button'
import { POPUP_SURFACE } from './popover'

const ITEM =
  'flex min-h-7 w-full cursor-pointer select-none items-start gap-2 rounded-md px-2 py-1 text-left outline-none data-highlighted:bg-line/60 pointer-coarse:min-h-11 pointer-coarse:items-center'

/** A button that opens a list of actions. */
export function Menu(props: {
  /** A button; it must accept a ref and spread its attributes. */
  readonly trigger: ReactElement
  readonly children: ReactNode
  readonly side?: 'top' | 'bottom'
  readonly align?: 'start' | 'end'
  readonly className?: string
}) {
  const { trigger, children, side = 'bottom', align = 'start', className = '' } = props
  const id = useId()
  return (
    <Base.Root>
      <Base.Trigger id={id} render={trigger} />
      {/* A landmark of its own, since it is outside those of the page. */}
      <Base.Portal render={<section aria-labelledby={id} />}>
        <Base.Positioner
          side={side}
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

/** A small button with a name that opens a list of choices, each with what it does. */
export function ChoicesMenu(props: {
  readonly label: string
  readonly isDisabled: boolean
  readonly choices: readonly (readonly [label: string, onSelect: () => unknown])[]
}) {
  const trigger = (
    <Button size="small" disabled={props.isDisabled}>
      {props.label}
      <ChevronDown className="size-3.5" aria-hidden />
    </Button>
  )
  return (
    <Menu align="end" trigger={trigger}>
      {props.choices.map(([label, onSelect]) => (
        <MenuItem key={label} onSelect={() => void onSelect()}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}

export function MenuItem(props: {
  readonly children: ReactNode
  readonly onSelect: () => void
  readonly icon?: LucideIcon
  readonly description?: ReactNode
}) {
  const { children, onSelect, icon: Icon, description } = props
  return (
    <Base.Item className={ITEM} onClick={onSelect}>
      {Icon && <Icon className="mt-0.5 size-4 shrink-0 text-soft" aria-hidden />}
      <span className="min-w-0 flex-1">
        {children}
        <span className="block text-soft text-sm empty:hidden">{description}</span>
      </span>
    </Base.Item>
  )
}

/** A group of radio items with a heading. */
export function MenuChoice<Value extends string>(props: {
  readonly label: string
  readonly value: Value
  readonly options: readonly (readonly [value: Value, label: string])[]
  readonly onValueChange: (value: Value) => void
}) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 pt-1.5 pb-1 text-faint text-xs">
        {props.label}
      </Base.GroupLabel>
      <Base.RadioGroup value={props.value} onValueChange={props.onValueChange}>
        {props.options.map(([value, label]) => (
          <Base.RadioItem key={value} value={value} closeOnClick className={ITEM}>
            <span className="mt-0.5 w-3.5 shrink-0 text-accent">
              <Base.RadioItemIndicator render={<Check className="size-3.5" aria-hidden />} />
            </span>
            <span className="min-w-0 flex-1">{label}</span>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  )
}
