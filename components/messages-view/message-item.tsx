import { ChevronRight } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { type Conversation, type Message, shownTool } from '@/lib/core/conversation/conversation'
import type { SentRequest } from '@/lib/core/mechanisms/write-request'
import type { Decision } from '@/lib/core/policy/decide'
import { formatJson } from '@/lib/core/text/format-json'
import type { TextSlices } from '@/lib/core/text/span'
import { holdsOnlyResults, type messageTokens } from '@/lib/state/document/message-facts'
import { messageContent } from '@/lib/state/document/selectors'
import type { MarkKind } from '@/lib/state/timeline/timeline-layout'
import { UseLines } from '../uses/use-lines'
import { MessageText, ResultBody, tokensSentence, useExpansion } from './result-body'

const EDGE_OF_KIND: Readonly<Partial<Record<MarkKind, string>>> = {
  masked: 'bg-accent',
  in_window: 'bg-good',
  kept_error: 'bg-warn',
  broken: 'bg-bad',
}

const PLACEHOLDER =
  'box-decoration-clone rounded-sm bg-accent-tint px-1 py-0.5 font-medium font-mono text-accent text-sm'

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'] as const

/** A message: role, tokens and content. All content is rendered as text. */
export function MessageItem(props: {
  readonly index: number
  readonly source: TextSlices
  readonly conversation: Conversation
  readonly results: readonly number[]
  readonly decisions: readonly Decision[] | undefined
  readonly tokens: ReturnType<typeof messageTokens>
  readonly kind: MarkKind
  /** What a mechanism does to it besides its results. */
  readonly change: SentRequest['messages'][number] | undefined
}) {
  const { index, source, conversation, results, decisions, tokens, kind, change } = props
  const t = useTranslations('reading')
  const message = conversation.messages[index] as Message
  const content = useMemo(
    () => messageContent(source, conversation, index, results.length > 0),
    [source, conversation, index, results.length],
  )
  const result = conversation.results[results[0] ?? -1]
  const ownTurn = result === undefined ? message.turn : result.turn
  const name = results.length === 1 ? shownTool(result) : undefined
  const known = ROLES.find((one) => one === message.role)
  const { [index]: before = 0 } = tokens.before
  const { [index]: after = 0 } = tokens.after
  const isQuiet = kind === 'system' || kind === 'other'
  return (
    <div className="relative grid grid-cols-[2.75rem_minmax(0,1fr)] gap-x-3 border-b py-2.5 pr-4 max-sm:grid-cols-[2.25rem_minmax(0,1fr)] max-sm:gap-x-2">
      <span className={`absolute inset-y-0 left-0 w-0.5 ${EDGE_OF_KIND[kind] ?? ''}`} />
      <span className="pt-px text-right font-mono text-faint text-xs">{index + 1}</span>
      <div className="min-w-0">
        <h3 className="mb-0.5 flex items-baseline gap-2 text-sm">
          {name === undefined ? (
            <span className={`font-semibold ${kind === 'user' ? 'text-ink' : 'text-soft'}`}>
              {known === undefined ? message.role : t(`roles.${known}`)}
            </span>
          ) : (
            <span className="truncate font-medium font-mono text-key">{name}</span>
          )}
          {ownTurn !== undefined && (
            <span className="shrink-0 text-faint">{t('turn', { turn: ownTurn + 1 })}</span>
          )}
          <span className="ml-auto shrink-0 font-normal text-faint">
            {change?.isLeftOut
              ? t('leftOut')
              : tokensSentence(t, { before, after, isEstimated: tokens.isEstimated })}
          </span>
        </h3>
        {change?.summary && (
          <p>
            <mark className={PLACEHOLDER}>{t('summary', { tokens: change.summary.tokens })}</mark>
          </p>
        )}
        <div className={change?.summary && change.isLeftOut ? 'faded' : ''}>
          {content.reasoning !== undefined && (
            <div className="mb-1 border-l pl-2.5 text-faint">
              <p className="text-sm">{t('reasoning')}</p>
              <MessageText
                part={`${index} reasoning`}
                text={content.reasoning}
                className="italic"
              />
            </div>
          )}
          {content.texts.map((text, at) => (
            <MessageText
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message have no other name
              key={at}
              part={`${index} text ${at}`}
              text={text}
              className={isQuiet ? 'text-soft' : ''}
            />
          ))}
          {content.json !== undefined && (
            <MessageText
              part={`${index} json`}
              text={content.json}
              className="font-mono text-faint text-sm"
            />
          )}
          {results.map((result) => (
            <ResultBody
              key={result}
              part={`${index} result ${result}`}
              source={source}
              conversation={conversation}
              index={result}
              decision={decisions?.[result]}
              hasOwnTokens={results.length > 1 || !holdsOnlyResults(conversation, index)}
            />
          ))}
          {content.calls.length > 0 && (
            <div className="mt-1 grid grid-cols-[minmax(0,1fr)] gap-0.5 pl-4">
              {content.calls.map((call, at) => (
                <ToolCall
                  // biome-ignore lint/suspicious/noArrayIndexKey: the calls of a message may share their ids
                  key={at}
                  part={`${index} call ${at}`}
                  name={call.name}
                  argumentsText={call.arguments}
                  change={change?.calls?.[at]}
                />
              ))}
            </div>
          )}
          {message.isAssistant && <UseLines answer={index} />}
          {message.nonTextParts > 0 && (
            <p className="text-faint text-sm">
              {t('nonTextParts', { parts: message.nonTextParts })}
            </p>
          )}
        </div>
      </div>
    </div>
  )
}

const LINE_UNITS = 240

/** A call as `name(arguments)` on one line. Expanded, the arguments are formatted over several lines. */
export function ToolCall(props: {
  readonly part: string
  readonly name: string
  /** Of a mechanism: other arguments, or null if the call is left out. */
  readonly change?: string | null | undefined
  readonly argumentsText: string
}) {
  const { part, name, argumentsText, change } = props
  const t = useTranslations('reading')
  const [shown, setShown] = useExpansion(part)
  const isOpen = shown > 0
  const laidOut = useMemo(() => (isOpen ? formatJson(argumentsText) : ''), [isOpen, argumentsText])
  const line = argumentsText.slice(0, LINE_UNITS).replace(/\s+/g, ' ')
  return (
    <div className="font-mono text-sm">
      <button
        type="button"
        aria-expanded={isOpen}
        className="-ml-4 flex min-h-6 max-w-[calc(100%+1rem)] cursor-pointer items-center gap-1 rounded-sm text-left hover:bg-line/40 pointer-coarse:min-h-8"
        onClick={() => setShown(isOpen ? 0 : 1)}
      >
        <ChevronRight
          aria-hidden
          className={`size-3 shrink-0 text-faint transition-transform ${isOpen ? 'rotate-90' : ''}`}
        />
        <span className="truncate">
          <span className="font-medium text-key">{name}</span>
          <span className={change === null ? 'text-soft line-through' : 'text-soft'}>
            ({change ? <mark className={PLACEHOLDER}>{change}</mark> : line})
          </span>
          {change === null && <span className="text-faint"> {t('leftOut')}</span>}
        </span>
      </button>
      {isOpen && (
        <MessageText
          part={`${part} arguments`}
          text={laidOut}
          className="mt-0.5 border-l pl-2.5 text-soft"
        />
      )}
    </div>
  )
}
