import { Autocomplete as Base } from '@base-ui/react/autocomplete'
import { Search } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useFigures } from '../share/figures-buttons'
import { Dialog } from '../ui/dialog'
import { Kbd } from '../ui/kbd'
import { FIELD_GROUP } from '../ui/popover'

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

/** The commands of the page are its buttons, so the list is complete and in the page's language. */

interface PageCommand {
  readonly value: string
  readonly label: string
  /** The part of the page that has the button. */
  readonly place: string
  readonly press: () => void
}

const BUTTONS = 'button, [role=switch], [role=tab], a[href]'
/** Parts whose buttons belong to one item of many, and the editors. */
const LEFT_OUT = 'table, ul, ol, article, [role=listbox], [role=dialog], .monaco-editor, [inert]'

/** Longer names are those of what is shown, and not of an action. */
const LONG_NAME = 40

/** The buttons that can be pressed now, in the order of the page; those with long names are last. */
function pageCommands(): PageCommand[] {
  const commands: PageCommand[] = []
  const names = new Set<string>()
  for (const element of document.querySelectorAll<HTMLElement>(BUTTONS)) {
    const label = nameOf(element)
    if (label === '' || names.has(label) || element.matches(':disabled, [aria-disabled=true]'))
      continue
    if (element.closest(LEFT_OUT) !== null || !element.checkVisibility()) continue
    names.add(label)
    const place = element.closest('[aria-label]:not(button, a)')?.getAttribute('aria-label') ?? ''
    const press = () => {
      element.focus()
      element.click()
    }
    commands.push({ value: label, label, place, press })
  }
  const isLong = ({ label }: PageCommand) => Number(label.length > LONG_NAME)
  return commands.sort((a, b) => isLong(a) - isLong(b))
}

/** The name that a screen reader says. */
function nameOf(element: HTMLElement): string {
  const labelledBy = element.getAttribute('aria-labelledby')?.split(' ') ?? []
  const labels = labelledBy.map((id) => document.getElementById(id)?.textContent ?? '')
  const name = element.getAttribute('aria-label') ?? (labels.join(' ') || spokenText(element))
  return name.replace(/\s+/g, ' ').trim()
}

function spokenText(node: Node): string {
  if (node instanceof Element && node.getAttribute('aria-hidden') === 'true') return ''
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? ''
  return [...node.childNodes].map(spokenText).join('')
}
