import { Combobox as Base } from '@base-ui/react/combobox'
import { Check, ChevronDown, Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { POPUP_SURFACE } from './popover'
import type { SelectGroup, SelectOption } from './select'

type SearchOption = SelectOption<string>

/** A select for many options with a search field. */
export function SearchSelect(props: {
  readonly label: string
  readonly searchLabel: string
  readonly value: SearchOption
  /** Returns the options for a query in their final order. */
  readonly search: (query: string) => readonly SelectGroup<string>[]
  readonly onValueChange: (value: string) => void
  readonly empty: ReactNode
  /** Shown below the list, such as the number of further options. */
  readonly footer: (query: string) => ReactNode
}) {
  const { label, value, search, onValueChange } = props
  const [query, setQuery] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const groups = isOpen
    ? search(query).map(({ label: value, options }) => ({ value, items: options }))
    : []
  return (
    <Base.Root<SearchOption>
      items={groups}
      filter={null}
      autoHighlight
      value={value}
      isItemEqualToValue={(a, b) => a.value === b.value}
      itemToStringLabel={(option) => option.label}
      inputValue={query}
      onInputValueChange={(text, { reason }) => {
        if (reason !== 'item-press') setQuery(text)
      }}
      open={isOpen}
      onOpenChange={(next) => {
        setIsOpen(next)
        setQuery('')
      }}
      onValueChange={(next) => {
        if (next !== null) onValueChange(next.value)
      }}
    >
      <Base.Trigger
        aria-label={`${label}: ${value.label}`}
        className="inline-flex h-7 min-w-0 max-w-full cursor-pointer select-none max-lg:max-w-44 max-lg:shrink-0 items-center gap-1 rounded-md border border-line bg-raised px-1.5 align-baseline text-ink hover:border-ghost pointer-coarse:h-11"
      >
        <span className="truncate">{value.label}</span>
        <ChevronDown className="size-3.5 shrink-0 text-faint" aria-hidden />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="start" collisionPadding={8} className="z-50">
          <Base.Popup
            aria-label={label}
            className={`${POPUP_SURFACE} flex max-h-[min(var(--available-height),30rem)] w-92 max-w-[calc(100vw-1rem)] flex-col outline-none`}
          >
            <div className="flex items-center gap-2 border-b px-3">
              <Search className="size-3.5 shrink-0 text-faint" aria-hidden />
              <Base.Input
                aria-label={props.searchLabel}
                placeholder={props.searchLabel}
                className="h-9 w-full bg-transparent outline-none placeholder:text-faint pointer-coarse:h-11"
              />
            </div>
            <Base.Empty className="px-3 py-3 text-soft text-sm empty:hidden">
              {props.empty}
            </Base.Empty>
            <Base.List className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1 empty:hidden">
              {(group: { readonly value: string; readonly items: readonly SearchOption[] }) => (
                <Base.Group key={group.value} items={group.items} className="not-first:mt-1.5">
                  <Base.GroupLabel className="px-2 pt-1.5 pb-1 text-faint text-xs">
                    {group.value}
                  </Base.GroupLabel>
                  <Base.Collection>
                    {(option: SearchOption) => (
                      <Base.Item
                        key={option.value}
                        value={option}
                        className="flex min-h-7 cursor-pointer items-start gap-2 rounded-md px-2 py-1 outline-none data-highlighted:bg-line/60 pointer-coarse:min-h-11"
                      >
                        <span className="mt-0.5 w-3.5 shrink-0 text-accent">
                          <Base.ItemIndicator render={<Check className="size-3.5" aria-hidden />} />
                        </span>
                        <span className="min-w-0 flex-1">
                          <span className="block truncate" title={option.label}>
                            {option.label}
                          </span>
                          <span className="block truncate text-soft text-sm empty:hidden">
                            {option.description}
                          </span>
                        </span>
                      </Base.Item>
                    )}
                  </Base.Collection>
                </Base.Group>
              )}
            </Base.List>
            <div className="border-t px-3 py-2 text-soft text-sm">{props.footer(query)}</div>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
