import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

export interface TabsProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly { readonly value: Value; readonly label: ReactNode }[]
  readonly onValueChange: (value: Value) => void
  /** Content of the selected tab. */
  readonly children: ReactNode
}

/** Tabs in a column on a wide screen, in rows on a narrow one. The content scrolls, the tabs stay. */
export function Tabs<Value extends string>(props: TabsProps<Value>) {
  const { label, value, options, onValueChange, children } = props
  return (
    <Base.Root
      value={value}
      onValueChange={(next: Value) => onValueChange(next)}
      orientation="vertical"
      className="flex h-full gap-x-5 gap-y-3 max-lg:flex-col"
    >
      <Base.List
        aria-label={label}
        activateOnFocus
        className="flex shrink-0 gap-0.5 max-lg:flex-wrap lg:w-36 lg:flex-col"
      >
        {options.map((option) => (
          <Base.Tab
            key={option.value}
            value={option.value}
            className="h-7 cursor-pointer select-none whitespace-nowrap rounded-md px-2 text-left text-soft transition-colors hover:text-ink data-active:bg-accent-tint data-active:text-accent pointer-coarse:h-10"
          >
            {option.label}
          </Base.Tab>
        ))}
      </Base.List>
      <Base.Panel value={value} className="min-h-0 min-w-0 flex-1 overflow-y-auto outline-none">
        {children}
      </Base.Panel>
    </Base.Root>
  )
}
