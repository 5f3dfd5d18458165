import { useEffect, useMemo, useState } from 'react'
import { shownTool } from '@/lib/core/conversation/conversation'
import { conversationOf, countsOf } from '@/lib/state/document/selectors'
import { figuresOfOffer } from '@/lib/state/policy/offered-policies'
import { figuresOf, MOST_OFFERED } from '@/lib/state/policy/policy-view'
import { type ForgottenResult, forgottenOf } from '@/lib/state/uses/later-uses'
import { useDeferredState, usePlaygroundState, useView } from '../playground-context'
import { useNames } from '../policy/policy-field'
import { Button } from '../ui/button'
import { ShowMore } from '../ui/show-more'
import { useWindowEvents } from '../use-events'

const NONE: readonly ForgottenResult[] = []
const AT_ONCE = 200

/**
 * The results that were needed once they were masked, one row each. A press shows the result in every view; J and K go to
 * the next and the previous one. Each row offers to keep what its tool returns, and says what the session costs then.
 */
export function ForgottenList() {
  const { t, format, actions } = useView('uses.forgotten')
  const rows = useDeferredState(forgottenOf) ?? NONE
  const conversation = useDeferredState(conversationOf)
  const tokens = useDeferredState((state) => countsOf(state)?.[state.conversation]?.results)
  const chosen = usePlaygroundState(({ selection }) => selection?.result)
  const { names: excluded, add } = useNames('excludeTools')
  const [most, setMost] = useState(AT_ONCE)
  const policy = usePlaygroundState((state) => state.policy)
  const cost = useDeferredState((state) => figuresOf(state)?.after.costs.cached)
  const tools = useMemo(() => {
    const all = rows.flatMap(({ result }) => shownTool(conversation?.results[result]) ?? [])
    return [...new Set(all)].slice(0, MOST_OFFERED)
  }, [rows, conversation])
  const policies = useMemo(() => {
    const keep = (tool: string) => ({ ...policy, excludeTools: [...policy.excludeTools, tool] })
    return tools.map(keep)
  }, [tools, policy])
  useEffect(() => actions.offer(policies), [policies, actions])
  const kept = useDeferredState((state) => figuresOfOffer(state, policies))
  const at = rows.findIndex(({ result }) => result === chosen)

  const go = (row: ForgottenResult | undefined) => {
    const message = conversation?.results[row?.result ?? -1]?.message
    if (message !== undefined) actions.select(message, row?.result, 'timeline')
  }
  useWindowEvents({
    keydown: ({ key, ctrlKey, metaKey, altKey }) => {
      if (ctrlKey || metaKey || altKey) return
      const letter = key.toLowerCase()
      if (letter === 'j') go(rows[Math.min(rows.length - 1, at + 1)])
      if (letter === 'k') go(rows[Math.max(0, at - 1)])
    },
  })
  if (conversation === undefined) return null
  // The chosen row is among them.
  const shown = Math.max(most, at + 1)
  return (
    <div className="text-sm">
      <p className="mb-1 text-soft">
        {at < 0 ? t('hint') : t('place', { at: at + 1, count: rows.length })}
      </p>
      <ol className="max-h-80 overflow-y-auto">
        {rows.slice(0, shown).map((row, index) => {
          const { result, message, term } = row
          const masked = conversation.results[result]
          const tool = shownTool(masked)
          const price = kept?.[tools.indexOf(tool ?? '')]?.after.costs.cached
          return (
            <li
              key={result}
              className="flex items-baseline gap-x-2 border-t py-0.5 max-sm:flex-wrap"
            >
              <button
                type="button"
                aria-current={index === at || undefined}
                onClick={() => go(row)}
                className="min-w-0 flex-1 cursor-pointer rounded-sm px-1 max-sm:basis-full py-0.5 text-left [overflow-wrap:anywhere] hover:bg-line/60 aria-[current]:bg-accent-tint"
              >
                {t.rich(term === undefined ? 'again' : 'needed', {
                  turn: (masked?.turn ?? 0) + 1,
                  tool: tool ?? '',
                  later: (conversation.messages[message]?.turn ?? -1) + 1,
                  term: () => <span className="font-mono">{term}</span>,
                  tokens: format.number(tokens?.[result]),
                })}
              </button>
              {tool !== undefined && !excluded.includes(tool) && (
                <Button kind="link" onClick={() => add(tool)}>
                  {t('keep', { tool })}
                </Button>
              )}
              {price !== undefined && (
                <span className="text-soft tabular-nums">
                  {format.money(price, cost)} {format.change(cost, price)}
                </span>
              )}
            </li>
          )
        })}
      </ol>
      <ShowMore all={rows.length} most={shown} atOnce={AT_ONCE} onMore={setMost} />
    </div>
  )
}
