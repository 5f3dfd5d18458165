'use client'

import { useEffect, useRef } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { countCodePoints } from '@/lib/core/conversation/count-code-points'
import { requestOf, shownDecisionsOf } from '@/lib/state/request-view'
import { countsOf, placeholderTokensOf } from '@/lib/state/selectors'
import { useReasonSentence } from '../reading/use-reason-sentence'
import { type DescribeResult, registerResultHover } from './result-hover'
import type { EditorSession } from './session'

/** Registers what the editors say over a result; the state is read when it is asked for, never before. */
export function useResultHover(session: EditorSession, isWanted: boolean): void {
  const t = useTranslations('panes')
  const { number } = useFormatter()
  const sentenceOf = useReasonSentence()
  const { store } = session.playground

  const describe: DescribeResult = (conversation, result) => {
    const state = store.getState()
    const own = state.read?.model.conversations[conversation]
    const facts = own?.results[result]
    const decision = shownDecisionsOf(state)?.[conversation]?.[result]
    const turnCount =
      (conversation === state.conversation ? requestOf(state)?.turnCount : undefined) ??
      own?.turnCount
    if (
      own === undefined ||
      turnCount === undefined ||
      facts === undefined ||
      decision === undefined
    )
      return undefined
    const say = (count: number | undefined) => (count === undefined ? t('unknown') : number(count))
    const tokens = countsOf(state)?.[conversation]?.results[result]
    const chars = facts.chars
    const { placeholder } = decision
    const size =
      placeholder === undefined
        ? t('hoverSize', { chars: say(chars), count: chars, tokens: say(tokens) })
        : t('hoverSizeMasked', {
            chars: say(chars),
            charsAfter: say(countCodePoints(placeholder)),
            tokens: say(tokens),
            tokensAfter: say(placeholderTokensOf(state)?.[conversation]?.[result]),
          })
    const parts = [
      facts.toolName ?? t('unknownTool'),
      facts.turn === undefined ? undefined : t('hoverTurn', { turn: facts.turn + 1 }),
      size,
    ]
    return {
      sentence: sentenceOf(decision, facts, state.policy, turnCount),
      facts: parts.filter((part) => part !== undefined).join(' · '),
    }
  }

  const latest = useRef(describe)
  latest.current = describe
  useEffect(() => {
    if (isWanted) return registerResultHover(session, () => latest.current)
  }, [session, isWanted])
}
