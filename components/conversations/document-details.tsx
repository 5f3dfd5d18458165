import { Fragment } from 'react'
import { useProblemSentence, useWords } from '@/components/language-provider'
import { useDeferredState, usePlaygroundState, useView } from '@/components/playground-context'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/select'
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
  const { t: panes } = useView('panes')
  const { t: rules } = useView('integrity.rules')
  const words = useWords()
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
    if (next !== undefined)
      actions.select(next, resultsByMessage(conversation).get(next)?.[0], 'page')
  }
  const formatsOf = (isRecognised: boolean) =>
    model.formats
      .filter((one) => one.isRecognised === isRecognised)
      .map(({ id, label, expects }) => ({
        value: id,
        label: words({ name: label }),
        description: t('expects', { expected: words({ name: expects }) }),
      }))
  const groups = [
    { label: t('alsoRecognised'), options: formatsOf(true) },
    { label: t('notRecognised'), options: formatsOf(false) },
  ]
  const sizes = [
    rows.length > 1 && t('conversations', { count: rows.length }),
    t('messages', { count: messages }),
    t('turns', { count: turns }),
    t('calls', { count: calls }),
    t('results', { count: results }),
  ]
  const shape = t(`evidence.${evidence.shape}`, { lists: evidence.lists })
  // Chooses the format to read the text as; without a choice it is the one that was recognised.
  const chooser = (
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
      {source.readAs !== undefined && (
        <>
          <span className="text-soft text-sm">{t('chosen')}</span>
          <Button kind="link" onClick={() => void actions.readAs(undefined)}>
            {t('backToRecognised')}
          </Button>
        </>
      )}
    </span>
  )
  const facts = [
    ['recognisedAs', chooser],
    ['recognisedBy', t('evidence.marks', { shape, marks: evidence.marks.join(', ') })],
    [
      'layout',
      `${t(`layouts.${model.layout}`)}, ${t('characters', { count: source.text.length })}`,
    ],
    ['model', models.slice(0, 3).join(', ')],
    ['size', sizes.filter(Boolean).join(', ')],
  ] as const
  return (
    <>
      <dl className="grid items-baseline grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        {facts.map(
          ([term, content]) =>
            content !== '' && (
              <Fragment key={term}>
                <dt className="text-soft">{t(term)}</dt>
                <dd>{content}</dd>
              </Fragment>
            ),
        )}
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

/** What was found, and a button to its place, or to the next of several. */
function Line(props: {
  readonly text: string
  readonly onShow: (() => void) | undefined
  readonly isWarning?: boolean
  readonly isRepeatable?: boolean
}) {
  const { text, onShow, isWarning = false, isRepeatable = false } = props
  const { t } = useView('reading.badge')
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
