import { useTranslations } from 'use-intl'
import { Dialog, type DialogState } from '../ui/dialog'
import { Kbd } from '../ui/kbd'

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

/** The keys of the page. */
export function KeysDialog(state: DialogState) {
  const t = useTranslations('keys')
  return (
    <Dialog title={t('title')} className="w-160" {...state}>
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
