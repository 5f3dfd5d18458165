import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '../ui/dialog'
import { Kbd } from '../ui/kbd'
import { useWindowEvents } from '../use-events'
import { isTyping } from './use-shortcuts'

/** Keys by what they do; a key of several characters is pressed together. */
const KEYS = {
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

/** The keys of the page, shown by `?`. */
export function KeysDialog() {
  const t = useTranslations('keys')
  const [isOpen, setOpen] = useState(false)
  useWindowEvents({
    keydown: (event) => {
      if (event.key !== '?' || isTyping(event.target)) return
      event.preventDefault()
      setOpen(true)
    },
  })
  return (
    <Dialog title={t('title')} className="w-160" isOpen={isOpen} onOpenChange={setOpen}>
      <dl className="gap-x-8 text-sm sm:columns-2">
        {(Object.keys(KEYS) as (keyof typeof KEYS)[]).map((name) => (
          <div key={name} className="flex items-center justify-between gap-4 py-0.5">
            <dt className="text-soft">{t(`does.${name}`)}</dt>
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
