import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type Conversation, shownTool, type ToolResult } from '@/lib/core/conversation/conversation'
import type { Decision } from '@/lib/core/policy/decide'
import { conversationOf } from '@/lib/state/document/selectors'
import { comparisonOf, type DifferingResult } from '@/lib/state/policy/comparison'
import { useReasonSentence } from '../messages-view/use-reason-sentence'
import { useDeferredState, usePlayground } from '../playground-context'
import { Button } from '../ui/button'
import { Popover } from '../ui/popover'

/** Results beyond this number are counted but not listed. */
const MOST_LISTED = 400

/** Number and list of results for which A and B decide differently. Choosing one selects it everywhere. */
export function DifferingResults({
  differing,
}: {
  readonly differing: readonly DifferingResult[] | undefined
}) {
  const t = useTranslations('share.compare')
  const conversation = useDeferredState(conversationOf)
  const [isOpen, setOpen] = useState(false)
  if (differing === undefined || conversation === undefined) return null
  return (
    <Popover
      title={t('listTitle')}
      align="end"
      className="w-120 max-h-[60dvh]"
      isOpen={isOpen && differing.length > 0}
      onOpenChange={setOpen}
      trigger={
        <Button size="small" disabled={differing.length === 0}>
          {t('differing', { n: differing.length })}
          <ChevronDown className="size-3.5" aria-hidden />
        </Button>
      }
    >
      <List differing={differing} conversation={conversation} onChosen={() => setOpen(false)} />
    </Popover>
  )
}

interface ListProps {
  readonly differing: readonly DifferingResult[]
  readonly conversation: Conversation
  readonly onChosen: () => void
}

function List({ differing, conversation, onChosen }: ListProps) {
  const t = useTranslations('share.compare')
  const { actions } = usePlayground()
  const sentence = useReasonSentence()
  const comparison = useDeferredState(comparisonOf)
  if (comparison === undefined) return null
  const rest = differing.length - MOST_LISTED
  return (
    <>
      <ul className="-mx-2 flex flex-col">
        {differing.slice(0, MOST_LISTED).map(({ result: index, a, b }) => {
          const result = conversation.results[index] as ToolResult
          const turn = (result.turn ?? 0) + 1
          const tool = shownTool(result) ?? t('noTool')
          const isOrphan = result.turn === undefined
          const why = (decision: Decision, side: 'a' | 'b') =>
            sentence(decision, result, comparison[side].policy, conversation.turnCount)
          const isTextOnly = a.reason === 'masked' && b.reason === 'masked'
          return (
            <li key={index}>
              <button
                type="button"
                aria-label={isOrphan ? t('goToOrphan', { tool }) : t('goTo', { turn, tool })}
                onClick={() => {
                  actions.select(result.message, index, 'page')
                  onChosen()
                }}
                className="w-full cursor-pointer rounded-md px-2 py-1.5 text-left hover:bg-line/50"
              >
                <span className="flex justify-between gap-3">
                  <span className="min-w-0 truncate">
                    <span className="text-soft tabular-nums">
                      {isOrphan ? t('orphan') : t('turn', { turn })}
                    </span>{' '}
                    <span className="font-mono text-sm">{tool}</span>
                  </span>
                  <span className="shrink-0 text-sm">
                    {isTextOnly ? (
                      t('otherText')
                    ) : (
                      <>
                        {t(a.action === 'mask' ? 'masked' : 'kept')} →{' '}
                        <strong className="font-medium">
                          {t(b.action === 'mask' ? 'masked' : 'kept')}
                        </strong>
                      </>
                    )}
                  </span>
                </span>
                {!isTextOnly && (
                  <span className="mt-0.5 block text-soft text-sm">
                    {[`A: ${why(a, 'a')}`, `B: ${why(b, 'b')}`].map((line) => (
                      <span key={line} className="block">
                        {line}
                      </span>
                    ))}
                  </span>
                )}
              </button>
            </li>
          )
        })}
      </ul>
      {rest > 0 && <p className="mt-2 text-soft text-sm">{t('rest', { n: rest })}</p>}
    </>
  )
}
