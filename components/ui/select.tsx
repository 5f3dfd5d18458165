import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { POPUP_SURFACE } from './popover'

export interface SelectOption<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly description?: ReactNode
}

export interface SelectGroup<Value extends string> {
  readonly label: string
  readonly options: readonly SelectOption<Value>[]
}

interface SelectProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly (SelectOption<Value> | SelectGroup<Value>)[]
  readonly onValueChange: (value: Value) => void
  /** `plain` and `small` have a border; `ghost` is used in a line of text. */
  readonly kind?: 'plain' | 'small' | 'ghost'
  readonly isDisabled?: boolean
  readonly isOpenAtFirst?: boolean
}

const KINDS = {
  plain: 'h-8 border border-line bg-raised px-2.5 hover:border-ghost',
  small: 'h-7 border border-line bg-raised px-1.5 hover:border-ghost',
  ghost: 'h-7 px-1.5 -mx-1.5 text-sm hover:bg-line/50',
}

/** A select whose options can be in groups with headings, and have descriptions. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, value, options, onValueChange, kind = 'plain' } = props
  const items = options.flatMap((one) => ('options' in one ? one.options : one))
  return (
    <Base.Root
      items={items}
      value={value}
      disabled={props.isDisabled ?? false}
      defaultOpen={props.isOpenAtFirst ?? false}
      onValueChange={(next) => {
        if (next !== null) onValueChange(next as Value)
      }}
    >
      <Base.Trigger
        aria-label={label}
        className={`inline-flex min-w-0 cursor-pointer select-none items-center gap-1.5 rounded-md pointer-coarse:h-11 ${KINDS[kind]}`}
      >
        <Base.Value className="truncate" />
        <Base.Icon render={<ChevronDown className="size-3.5 shrink-0 text-faint" aria-hidden />} />
      </Base.Trigger>
      {/* A landmark of its own, since it is outside those of the page. */}
      <Base.Portal render={<section aria-label={label} />}>
        <Base.Positioner
          sideOffset={4}
          alignItemWithTrigger={false}
          align="start"
          className="z-50 select-none"
        >
          <Base.Popup
            className={`${POPUP_SURFACE} min-w-(--anchor-width) max-w-[calc(100vw-1rem)] outline-none`}
          >
            <Base.List className="max-h-[min(var(--available-height),32rem)] overflow-y-auto p-1">
              {options.map((one) =>
                'options' in one ? (
                  <Base.Group key={one.label} className="not-first:mt-1.5">
                    <Base.GroupLabel className="px-2 pt-1.5 pb-1 text-faint text-xs">
                      {one.label}
                    </Base.GroupLabel>
                    {one.options.map(item)}
                  </Base.Group>
                ) : (
                  item(one)
                ),
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function item<Value extends string>({ value, label, description }: SelectOption<Value>) {
  return (
    <Base.Item
      key={value}
      value={value}
      className="flex min-h-7 cursor-pointer items-start gap-2 rounded-md px-2 py-1 outline-none data-highlighted:bg-line/60 pointer-coarse:min-h-11"
    >
      <span className="mt-0.5 w-3.5 shrink-0 text-accent">
        <Base.ItemIndicator render={<Check className="size-3.5" aria-hidden />} />
      </span>
      <span className="min-w-0">
        <Base.ItemText>{label}</Base.ItemText>
        <span className="block text-soft text-sm empty:hidden">{description}</span>
      </span>
    </Base.Item>
  )
}

/** A choice of one kind of what is listed, or of all, each with its number; `kinds` are those that are there. */
export function KindSelect<Kind extends string>(props: {
  readonly label: string
  readonly all: string
  readonly kinds: readonly (readonly [kind: Kind, name: string, count: number])[]
  readonly value: Kind | 'all'
  readonly onValueChange: (value: Kind | 'all') => void
  readonly kind: NonNullable<SelectProps<Kind>['kind']>
}) {
  const { all, kinds, ...rest } = props
  const options = kinds.map(([value, name, count]) => ({ value, label: `${name} (${count})` }))
  return <Select<Kind | 'all'> options={[{ value: 'all', label: all }, ...options]} {...rest} />
}
