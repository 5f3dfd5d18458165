import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useWords } from '@/components/language-provider'
import { useDeferredState, usePlaygroundState, useView } from '@/components/playground-context'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/select'
import { useProblemSentence } from '@/components/use-figure-format'
import type { Offset } from '@/lib/core/text/span'
import {
  conversationRowsOf,
  lastMessageBefore,
  sumRows,
} from '@/lib/state/document/conversation-rows'
import { resultsByMessage } from '@/lib/state/document/message-facts'
import { conversationNotes, conversationOf } from '@/lib/state/document/selectors'
import { historyFindingsOf } from '@/lib/state/integrity/history-findings'
import { stepResult } from '@/lib/state/timeline/window-edge'

const MOST_PROBLEMS = 50

/** Evidence for the detected format, the contents of the document, and notes about problems in it. */
export function DocumentDetails(props: {
  /** Closes the popover, so that the place jumped to is visible. */
  readonly onLeave: () => void
  readonly onSaveAsChat: () => void
}) {
  const { onLeave, onSaveAsChat } = props
  const { t, actions, store } = useView('reading.badge')
  const panes = useTranslations('panes')
  const rules = useTranslations('integrity.rules')
  const sentence = useProblemSentence()
  const read = usePlaygroundState((state) => state.read)
  const rows = useDeferredState(conversationRowsOf)
  const conversation = usePlaygroundState(conversationOf)
  const findings = usePlaygroundState(historyFindingsOf)
  if (read === undefined || conversation === undefined) return null
  const { model, source } = read
  const { evidence } = model
  const { messages, turns, results } = sumRows(rows)
  const calls = model.conversations.reduce((total, one) => total + one.calls.length, 0)
  const models = [...new Set(model.conversations.flatMap((one) => one.model ?? []))]
  const found = [
    ...findings.map(({ rule, places }) => ({
      ...{ key: rule, text: rules(rule, { count: places.length }) },
      messages: places.map(({ message }) => message),
    })),
    ...conversationNotes(conversation).map(({ kind, count, messages: noted }) => ({
      ...{ key: kind, text: t(`finding.${kind}`, { count }), messages: noted },
    })),
  ]

  const jump = (to: Offset) => {
    onLeave()
    const place = lastMessageBefore(model, to)
    if (place === undefined) return
    const { conversation: shown } = store.getState()
    if (place.conversation !== shown) actions.chooseConversation(place.conversation)
    actions.select(place.message, undefined, 'page')
  }
  /** Goes from one affected message to the next. */
  const step = (affected: readonly number[]) => {
    const next = stepResult(affected, store.getState().selection?.message)
    if (next !== undefined) actions.select(next, resultsByMessage(conversation)[next]?.[0], 'page')
  }
  return (
    <>
      <dl className="grid items-baseline grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <Fact term={t('recognisedAs')}>
          <FormatChooser />
        </Fact>
        <Fact term={t('recognisedBy')}>
          {t('evidence.marks', {
            shape: t(`evidence.${evidence.shape}`, { lists: evidence.lists }),
            marks: evidence.marks.join(', '),
          })}
        </Fact>
        <Fact term={t('layout')}>
          {t(`layouts.${model.layout}`)}, {t('characters', { count: source.text.length })}
        </Fact>
        {models.length > 0 && <Fact term={t('model')}>{models.slice(0, 3).join(', ')}</Fact>}
        <Fact term={t('size')}>
          {[
            rows.length > 1 && t('conversations', { count: rows.length }),
            t('messages', { count: messages }),
            t('turns', { count: turns }),
            t('calls', { count: calls }),
            t('results', { count: results }),
          ]
            .filter(Boolean)
            .join(', ')}
        </Fact>
      </dl>
      <p className="mt-2">
        <Button kind="link" onClick={onSaveAsChat}>
          {panes('chat.item')}
        </Button>
      </p>
      {found.length + model.problems.length === 0 ? (
        <p className="mt-3 border-t pt-3 text-soft">{t('complete')}</p>
      ) : (
        <>
          <h3 className="mt-3 mb-1 border-t pt-3 font-medium">{t('findings')}</h3>
          <ul className="grid gap-1">
            {model.problems.slice(0, MOST_PROBLEMS).map((problem) => {
              const { code, offset } = problem
              const onShow = offset === undefined ? undefined : () => jump(offset)
              return (
                <Line
                  key={`${code} ${offset}`}
                  text={sentence(problem)}
                  onShow={onShow}
                  isWarning
                />
              )
            })}
            {model.problems.length > MOST_PROBLEMS && (
              <li className="text-soft">
                {t('more', { count: model.problems.length - MOST_PROBLEMS })}
              </li>
            )}
            {found.map(({ key, text, messages: affected }) => (
              <Line
                key={key}
                text={text}
                onShow={() => step(affected)}
                isRepeatable={new Set(affected).size > 1}
              />
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{term}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** What was found, and a button to its place, or to the next of several. */
function Line(props: {
  readonly text: string
  readonly onShow: (() => void) | undefined
  readonly isWarning?: boolean
  readonly isRepeatable?: boolean
}) {
  const { text, onShow, isWarning = false, isRepeatable = false } = props
  const t = useTranslations('reading.badge')
  return (
    <li className="flex items-baseline justify-between gap-4">
      <span className={`min-w-0 break-words ${isWarning ? 'text-warn' : ''}`}>{text}</span>
      {onShow !== undefined && (
        <Button
          kind="link"
          className="shrink-0"
          aria-label={t('showOf', { finding: text })}
          onClick={onShow}
        >
          {t(isRepeatable ? 'showNext' : 'show')}
        </Button>
      )}
    </li>
  )
}

/** Chooses the format to read the text as. The default is the detected format. */
function FormatChooser() {
  const { t, actions } = useView('reading.badge')
  const words = useWords()
  const model = usePlaygroundState((state) => state.read?.model)
  const readAs = usePlaygroundState((state) => state.read?.source.readAs)
  if (model === undefined) return null
  const groups = (['alsoRecognised', 'notRecognised'] as const).map((label) => ({
    label: t(label),
    options: model.formats
      .filter(({ isRecognised }) => isRecognised === (label === 'alsoRecognised'))
      .map(({ id, label: name, expects }) => ({
        value: id,
        label: words({ name }),
        description: t('expects', { expected: words(expects) }),
      })),
  }))
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Select
        kind="ghost"
        label={t('readAs')}
        value={model.format}
        options={groups.filter(({ options }) => options.length > 0)}
        onValueChange={(format) => {
          const recognised = model.formats.find(({ isRecognised }) => isRecognised)?.id
          void actions.readAs(format === recognised ? undefined : format)
        }}
      />
      {readAs !== undefined && (
        <>
          <span className="text-soft text-sm">{t('chosen')}</span>
          <Button kind="link" onClick={() => void actions.readAs(undefined)}>
            {t('backToRecognised')}
          </Button>
        </>
      )}
    </span>
  )
}
