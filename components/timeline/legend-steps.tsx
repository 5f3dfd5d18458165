import type { ReactNode } from 'react'
import { usePlaygroundState, useView } from '@/components/playground-context'
import { clearedResults, conversationOf } from '@/lib/state/document/selectors'
import { movesOf, stepResult } from '@/lib/state/timeline/window-edge'
import { usePlayground } from '../playground-context'

const LOW = 4

function useCleared() {
  const conversation = usePlaygroundState(conversationOf)
  const results = conversation === undefined ? [] : clearedResults(conversation)
  return { results, messages: results.map((index) => conversation?.results[index]?.message ?? 0) }
}

/** Marks below the timeline for results that the client itself cleared. */
export function ClearedMarks({ messages: count }: { readonly messages: number }) {
  const { messages } = useCleared()
  if (messages.length === 0) return null
  const path = messages.map((message) => `M${message + 0.5} 0v${LOW}`).join('')
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${count} ${LOW}`}
      preserveAspectRatio="none"
      className="mt-2.5 h-1 w-full fill-none stroke-2"
    >
      <path d={path} vectorEffect="non-scaling-stroke" className="stroke-faint" />
    </svg>
  )
}

/** Marks below the timeline where the window moved. */
export function MoveMarks({ messages }: { readonly messages: number }) {
  const moves = usePlaygroundState(movesOf)
  if (moves === undefined || moves.length === 0) return null
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute inset-x-0 top-[calc(var(--arcs)+var(--bars))]"
    >
      {moves.map(({ end }) => (
        <span
          key={end}
          className="-translate-x-1/2 absolute top-0 border-x-4 border-x-transparent border-b-6 border-b-warn"
          style={{ left: `${(end / messages) * 100}%` }}
        />
      ))}
    </div>
  )
}

/** The number of moves; a press goes to the message at which the next one was. */
export function MoveLegend() {
  const { t } = useView('timeline')
  const { stepMessages } = useSteps()
  const moves = usePlaygroundState(movesOf)
  if (moves === undefined || moves.length === 0) return null
  const messages = moves.map(({ end }) => end - 1)
  return (
    <LegendStep
      label={t('moves', { count: moves.length })}
      onStep={(isBack) => stepMessages(messages, isBack)}
      swatch={
        <span aria-hidden className="border-x-4 border-x-transparent border-b-6 border-b-warn" />
      }
    />
  )
}

/** The number of these results; a press goes to the next one. */
export function ClearedLegend() {
  const { t } = useView('timeline')
  const { stepResults } = useSteps()
  const { results } = useCleared()
  if (results.length === 0) return null
  return (
    <LegendStep
      label={t('cleared', { count: results.length })}
      onStep={(isBack) => stepResults(results, isBack)}
      swatch={
        <svg
          aria-hidden="true"
          viewBox="0 0 4 12"
          className="h-3 w-1 shrink-0 fill-none stroke-2 stroke-faint"
        >
          <path d="M2 9v3" />
        </svg>
      }
    />
  )
}

/** Select the next message or result of a list, or the one before the selected one. */
export function useSteps() {
  const { actions, store } = usePlayground()
  return {
    stepMessages: (messages: readonly number[], isBack?: boolean) => {
      const next = stepResult(messages, store.getState().selection?.message, isBack)
      if (next !== undefined) actions.select(next, undefined, 'timeline')
    },
    stepResults: (results: readonly number[], isBack?: boolean) => {
      const state = store.getState()
      const next = stepResult(results, state.selection?.result, isBack)
      const message = conversationOf(state)?.results[next ?? -1]?.message
      if (message !== undefined) actions.select(message, next, 'timeline')
    },
  }
}

/** An entry of the legend. A press goes to the next mark of its kind, with Shift to the previous one. */
export function LegendStep(props: {
  readonly label: string
  readonly swatch: ReactNode
  readonly onStep: (isBack: boolean) => void
}) {
  const { label, swatch, onStep } = props
  const { t } = useView('timeline')
  return (
    <li>
      <button
        type="button"
        title={t('legendStep', { label })}
        className="-mx-1 flex min-h-6 cursor-pointer items-center gap-1.5 rounded-sm px-1 hover:bg-line/60 hover:text-ink"
        onClick={({ shiftKey }) => onStep(shiftKey)}
      >
        {swatch}
        {label}
      </button>
    </li>
  )
}
