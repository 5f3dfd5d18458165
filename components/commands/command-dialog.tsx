import { Autocomplete as Base } from '@base-ui/react/autocomplete'
import { Search } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useFigures } from '../share/figures-buttons'
import { Dialog } from '../ui/dialog'
import { Kbd } from '../ui/kbd'
import { FIELD_GROUP } from '../ui/surface'
import { type PageCommand, pageCommands } from './page-commands'

export interface CommandDialogProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  /** Gives what was typed before the field had the focus, once. */
  readonly takeTyped: () => string
}

/** Keys by what they do; a key of several characters is pressed together. */
const KEYS = {
  commands: ['Ctrl', 'K'],
  list: ['?'],
  undo: ['Ctrl', 'Z'],
  redo: ['Ctrl', 'Shift', 'Z'],
  paste: ['Ctrl', 'V'],
  save: ['Ctrl', 'S'],
  find: ['Ctrl', 'F'],
  conversations: ['[', ']'],
  messages: ['J', 'K'],
  results: ['N', 'P'],
  changes: ['N', 'P'],
  why: ['Ctrl', 'I'],
  maximise: ['Alt', 'Enter'],
  leaveEditor: ['Ctrl', 'M'],
  close: ['Esc'],
} as const

/** Every button of the page by name, and the keys of the page. */
export function CommandDialog({ isOpen, onOpenChange, takeTyped }: CommandDialogProps) {
  const t = useTranslations('commands')
  const label = useTranslations('figures')('present')
  const place = useTranslations('share')('button')
  const { isReady, present } = useFigures()
  // The menus of the page are closed, so what only a menu has is added.
  const [commands] = useState(() => [
    ...pageCommands(),
    ...(isReady ? [{ value: label, label, place, press: present }] : []),
  ])
  const [query, setQuery] = useState('')
  const chosen = useRef<PageCommand>(null)
  const run = (command: PageCommand) => {
    chosen.current = command
    onOpenChange(false)
  }
  return (
    <Dialog
      title={t('title')}
      closeLabel={t('close')}
      className="w-160"
      onClosed={() => chosen.current?.press()}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
    >
      <Base.Root<PageCommand>
        inline
        open
        items={commands}
        autoHighlight="always"
        value={query}
        onValueChange={setQuery}
        itemToStringValue={({ label, place }) => `${label} ${place}`}
      >
        <div className={`flex items-center gap-2 px-3 ${FIELD_GROUP}`}>
          <Search className="size-3.5 shrink-0 text-faint" aria-hidden />
          <Base.Input
            autoFocus
            onFocus={() => setQuery((before) => before + takeTyped())}
            aria-label={t('search')}
            placeholder={t('search')}
            className="h-9 w-full bg-transparent outline-none placeholder:text-faint pointer-coarse:h-11"
          />
        </div>
        <Base.Empty className="px-2 py-3 text-soft empty:hidden">{t('empty')}</Base.Empty>
        <Base.List
          aria-label={t('title')}
          className="mt-2 h-[min(18rem,50dvh)] overflow-y-auto overscroll-contain"
        >
          {(command: PageCommand) => (
            <Base.Item
              key={command.value}
              value={command}
              onClick={() => run(command)}
              className="flex min-h-8 cursor-pointer items-center justify-between gap-4 rounded-md px-2 py-1 outline-none data-highlighted:bg-line/60 pointer-coarse:min-h-11"
            >
              <span>{command.label}</span>
              <span className="shrink-0 text-soft text-sm">{command.place}</span>
            </Base.Item>
          )}
        </Base.List>
      </Base.Root>
      <dl className="mt-3 gap-x-8 border-t pt-3 text-sm sm:columns-2">
        {(Object.keys(KEYS) as (keyof typeof KEYS)[]).map((name) => (
          <div key={name} className="flex items-center justify-between gap-4 py-0.5">
            <dt className="text-soft">{t(`keys.${name}`)}</dt>
            <dd className="flex shrink-0 gap-1">
              {KEYS[name].map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
