import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useWords } from '@/components/language-provider'
import { loadWithTexts } from '@/components/load-with-texts'
import { LazyChatDialog } from '@/components/panes/lazy-chat-dialog'
import { useDeferredState, usePlaygroundState, useView } from '@/components/playground-context'
import { Button } from '@/components/ui/button'
import { PathName } from '@/components/ui/path-name'
import { Popover } from '@/components/ui/popover'
import { conversationRowsOf, sumRows } from '@/lib/state/document/conversation-rows'

const LazyDetails = loadWithTexts(async () => (await import('./document-details')).DocumentDetails)

/** A name and its state: beside each other, or on two lines of a narrow screen. */
const OPENING =
  'flex h-8 min-w-0 items-center gap-2 px-3 max-lg:h-11 max-lg:flex-col max-lg:items-start max-lg:justify-center max-lg:gap-0 max-lg:leading-tight'

/** Name and detected format of the open document, with details in a popover. Renders nothing before a document is read. */
export function DocumentBadge() {
  const { t } = useView('reading.badge')
  const words = useWords()
  const [isOpen, setIsOpen] = useState(false)
  // Undefined before it is opened for the first time.
  const [isSaving, setSaving] = useState<boolean>()
  const read = usePlaygroundState((state) => state.read)
  const rows = useDeferredState(conversationRowsOf)
  const reading = usePlaygroundState((state) => state.reading)
  const opened = usePlaygroundState((state) => state.source.name)
  const isOpening = usePlaygroundState(
    ({ source, reading: { state } }) => state === 'reading' && source.origin.kind !== 'typed',
  )
  const isFailed = reading.state === 'failed'
  if (isFailed || (isOpening && reading.state === 'reading')) {
    const percent = isFailed ? 0 : Math.round(reading.done * 100)
    return (
      <p className={OPENING}>
        <span className="flex max-w-full">
          <PathName name={opened} />
        </span>
        <span className={`shrink-0 text-sm ${isFailed ? 'text-bad' : 'text-soft'}`}>
          {isFailed ? t('unreadable') : t('reading', { percent })}
        </span>
      </p>
    )
  }
  if (read === undefined) return null
  const { model, source } = read
  const { messages, turns, results } = sumRows(rows)
  const facts = [
    words({ name: model.formatLabel }),
    t(`shapes.${model.evidence.shape}`),
    rows.length > 1 && t('conversations', { count: rows.length }),
    t('messages', { count: messages }),
    t('turns', { count: turns }),
    t('results', { count: results }),
  ].filter((fact) => fact !== false)
  // Requests that an agent sent masked are said in the details, and are no problem.
  const problems = model.problems.filter(({ code }) => code !== 'masked_recording').length
  return (
    <>
      <Popover
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        className="w-110"
        title={t('title')}
        trigger={
          <Button className="min-w-0 shrink!">
            <span className="sr-only">{t('details')}</span>
            {source.name !== '' && (
              <span className="flex min-w-0 max-w-64 overflow-hidden lg:shrink-0">
                <PathName name={source.name} />
              </span>
            )}
            {/* Facts without room are on a line that is hidden, the shape first. */}
            <span
              className={`flex h-[1lh] min-w-0 flex-[1_1_0%] flex-wrap overflow-hidden whitespace-pre text-sm text-soft ${source.name === '' ? '' : 'max-lg:sr-only'}`}
            >
              {facts.map((fact, at) => (
                <span key={fact} className={at === 1 ? 'order-1' : ''}>
                  {at > 0 && ' · '}
                  {fact}
                </span>
              ))}
            </span>
            {problems > 0 && (
              <span className="shrink-0 text-sm text-warn">
                {t('problems', { count: problems })}
              </span>
            )}
            <ChevronDown aria-hidden className="size-3.5 shrink-0 text-soft" />
          </Button>
        }
      >
        <LazyDetails
          onLeave={() => setIsOpen(false)}
          onSaveAsChat={() => {
            setIsOpen(false)
            setSaving(true)
          }}
        />
      </Popover>
      {isSaving !== undefined && <LazyChatDialog isOpen={isSaving} onOpenChange={setSaving} />}
    </>
  )
}
