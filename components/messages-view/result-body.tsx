import { createContext, useContext, useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { useDeferredState } from '@/components/playground-context'
import { MarkSwatch } from '@/components/timeline/timeline-legend'
import type { Conversation, ToolResult } from '@/lib/core/conversation/conversation'
import type { ResultTokens } from '@/lib/core/mask/measure-request'
import type { Decision } from '@/lib/core/policy/decide'
import type { TextSlices } from '@/lib/core/text/span'
import { resultTokensOf } from '@/lib/state/document/message-facts'
import { clampText, textsOfResult } from '@/lib/state/document/selectors'
import { kindOfReason } from '@/lib/state/timeline/timeline-layout'
import { ErrorMatches } from '../loop/error-rules/error-matches'
import { QuietButton } from '../ui/button'
import { UseLines } from '../uses/use-lines'
import { useReasonSentence } from './use-reason-sentence'

/** A result as sent, placeholder or text, with the reason for the decision. */
export function ResultBody(props: {
  readonly part: string
  readonly source: TextSlices
  readonly conversation: Conversation
  /** Index of the result. */
  readonly index: number
  readonly decision: Decision | undefined
  /** True if the tokens of the message are not those of this result. */
  readonly hasOwnTokens: boolean
}) {
  const { part, source, conversation, index, decision, hasOwnTokens } = props
  const t = useTranslations('reading')
  const result = conversation.results[index] as ToolResult
  const tokens = useDeferredState((state) => {
    const found = hasOwnTokens ? resultTokensOf(state, state.conversation, index) : undefined
    return found && tokensSentence(t, found)
  })
  const reasonSentence = useReasonSentence()
  const policy = useDeferredState((state) => state.policy)
  const [shown, setShown] = useExpansion(part)
  const isOriginalShown = shown > 0
  const isMasked = decision?.placeholder !== undefined
  const hasText = (!isMasked || isOriginalShown) && result.spans.length > 0
  // Strings of an object have no separator, so each gets a line.
  const text = useMemo(
    () => (hasText ? textsOfResult(source, result).join('\n') : undefined),
    [hasText, source, result],
  )
  return (
    <>
      {decision && (
        <div className="mb-1 flex items-baseline gap-1.5 text-soft text-sm">
          <MarkSwatch kind={kindOfReason(decision.reason)} />
          <p className="min-w-0">
            {reasonSentence(decision, result, policy, conversation.turnCount)}{' '}
            {isMasked && (
              <QuietButton
                aria-expanded={isOriginalShown}
                onClick={() => setShown(isOriginalShown ? 0 : 1)}
              >
                {isOriginalShown ? t('hideOriginal') : t('showOriginal', { chars: result.chars })}
              </QuietButton>
            )}
          </p>
          <span className="ml-auto shrink-0 text-faint">{tokens}</span>
        </div>
      )}
      {decision?.reason === 'kept_error' && text !== undefined && (
        <ErrorMatches text={text} marks={decision.keptBy} hasSwitch />
      )}
      {isMasked && (
        <p className="font-mono text-accent text-sm [overflow-wrap:anywhere]">
          <mark className="box-decoration-clone rounded-sm bg-accent-tint px-1 py-0.5 font-medium text-accent">
            {decision.placeholder === '' ? t('emptyPlaceholder') : decision.placeholder}
          </mark>
        </p>
      )}
      {text === '' && <p className="text-faint text-sm italic">{t('empty')}</p>}
      {text && (
        <MessageText
          part={`${part} text`}
          text={text}
          className={`font-mono text-sm ${isMasked ? 'mt-1.5 border-l pl-2.5 text-faint' : 'text-ink'}`}
        />
      )}
      <UseLines result={index} />
    </>
  )
}

/** Tokens before and after masking, as one number if they are the same. */
export function tokensSentence(
  t: ReturnType<typeof useTranslations<'reading'>>,
  { before, after, isEstimated }: ResultTokens,
): string {
  if (isEstimated) return t('tokensEstimated', { tokens: after })
  return before === after ? t('tokens', { tokens: before }) : t('tokensChange', { before, after })
}

const LINES = 12
/** Characters that fill the lines of a wide pane; narrow panes cut by lines. */
const UNITS = 900
/** Maximum characters that one press adds: a megabyte at once would freeze the page. */
const CHUNK = 100_000

/** The start of a text, expandable. `part` names it within the list, so that it stays expanded while scrolled away. */
export function MessageText(props: {
  readonly part: string
  readonly text: string
  readonly className: string
}) {
  const { part, text, className } = props
  const t = useTranslations('reading')
  const [shown, setShown] = useExpansion(part)
  const isExpanded = shown > 0
  const { text: visible, isWhole } = isExpanded
    ? clampText(text, Number.POSITIVE_INFINITY, shown)
    : clampText(text, LINES, UNITS)
  return (
    <>
      <div
        className={`whitespace-pre-wrap break-words [overflow-wrap:anywhere] ${className} ${isExpanded || isWhole ? '' : 'line-clamp-12'}`}
      >
        {isWhole ? visible : `${visible.trimEnd()}…`}
      </div>
      {(isExpanded || !isWhole) && (
        <div className="mt-0.5 flex gap-3 text-sm">
          {!isExpanded && (
            <QuietButton aria-expanded={false} onClick={() => setShown(CHUNK)}>
              {t('showAll', { chars: text.length })}
            </QuietButton>
          )}
          {isExpanded && !isWhole && (
            <QuietButton onClick={() => setShown(shown + CHUNK)}>
              {t('showNext', {
                size: Math.ceil(Math.min(CHUNK, text.length - shown) / 1000),
                all: Math.ceil(text.length / 1000),
              })}
            </QuietButton>
          )}
          {isExpanded && (
            <QuietButton aria-expanded onClick={() => setShown(0)}>
              {t('showLess')}
            </QuietButton>
          )}
        </div>
      )}
    </>
  )
}

/** Shown UTF-16 units by part, and what changes them: in a list whose items unmount while scrolling. */
export const Expansions = createContext<
  readonly [shown: ReadonlyMap<string, number>, show: (part: string, shown: number) => void]
>([new Map(), () => {}])

/** The shown length of a part, 0 if it is folded, and a function to change it. */
export function useExpansion(part: string): readonly [number, (shown: number) => void] {
  const [all, show] = useContext(Expansions)
  return [all.get(part) ?? 0, (shown) => show(part, shown)]
}
