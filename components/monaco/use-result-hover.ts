'use client'

import { useEffect, useRef } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { shownTool } from '@/lib/core/conversation/conversation'
import { countCodePoints } from '@/lib/core/text/text-pieces'
import { requestOf, shownDecisionsOf } from '@/lib/state/costs/request-view'
import { resultTokensOf } from '@/lib/state/document/message-facts'
import type { PlaygroundState } from '@/lib/state/store'
import { usesByPlaceOf } from '@/lib/state/uses/later-uses'
import { useReasonSentence } from '../messages-view/use-reason-sentence'
import type { EditorSession } from './editor-session'
import { type DescribeResult, registerResultHover } from './result-hover'

/** Registers the hover of results. The state is read when a hover is requested. */
export function useResultHover(session: EditorSession, isWanted: boolean): void {
  const t = useTranslations('panes')
  const uses = useTranslations('uses.places')
  const { number } = useFormatter()
  const sentenceOf = useReasonSentence()
  const { store } = session.playground

  const usedAgain = (state: PlaygroundState, conversation: number, result: number) => {
    if (conversation !== state.conversation) return undefined
    const ofResult = usesByPlaceOf(state)?.ofResult.get(result) ?? []
    const shown = ofResult.find(({ isLost }) => isLost) ?? ofResult.at(-1)
    if (shown === undefined) return undefined
    const { term, turn, distance } = shown.use
    return uses(shown.isLost ? 'hoverLost' : 'hover', { term, turn: turn + distance + 1 })
  }

  const describe: DescribeResult = (conversation, result) => {
    const state = store.getState()
    const shown = state.read?.model.conversations[conversation]
    const facts = shown?.results[result]
    const decision = shownDecisionsOf(state)?.[conversation]?.[result]
    const turnCount =
      (conversation === state.conversation ? requestOf(state)?.turnCount : undefined) ??
      shown?.turnCount
    if (
      shown === undefined ||
      turnCount === undefined ||
      facts === undefined ||
      decision === undefined
    )
      return undefined
    const tokens = resultTokensOf(state, conversation, result)
    const say = (count: number | undefined) =>
      count === undefined || tokens?.isEstimated ? t('unknown') : number(count)
    const chars = facts.chars
    const { placeholder } = decision
    const size =
      placeholder === undefined
        ? t('hoverSize', { chars: number(chars), count: chars, tokens: say(tokens?.before) })
        : t('hoverSizeMasked', {
            chars: number(chars),
            charsAfter: number(countCodePoints(placeholder)),
            tokens: say(tokens?.before),
            tokensAfter: say(tokens?.after),
          })
    const parts = [
      shownTool(facts) ?? t('unknownTool'),
      facts.turn === undefined ? undefined : t('hoverTurn', { turn: facts.turn + 1 }),
      size,
      usedAgain(state, conversation, result),
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
