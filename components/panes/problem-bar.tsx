import { useRef } from 'react'
import type { FormatId } from '@/lib/core/formats/read-document'
import type { Problem } from '@/lib/core/problem'
import { riskOf } from '@/lib/core/repair/repair-strategies'
import { positionAt } from '@/lib/core/text/lines'
import type { Offset } from '@/lib/core/text/span'
import { isTooLargeToEdit } from '@/lib/state/document/large-text'
import { viewOf } from '@/lib/state/document/output-view'
import { lineExcerpt, lineIndexOf } from '@/lib/state/document/selectors'
import { offerKindOf } from '@/lib/state/repair/document-repair'
import { useProblemSentence, useWords } from '../language-provider'
import { goTo } from '../monaco/editor-session'
import { usePlayground, usePlaygroundState, useView } from '../playground-context'
import { ChangedText } from '../repair/repair-outcome'
import { useIsNarrow } from '../shell/use-is-narrow'
import { Button } from '../ui/button'

/** Reason why the text cannot be read, with a link to the position. */
export function ProblemBar() {
  const { t } = useView('panes')
  const sentence = useProblemSentence()
  const playground = usePlayground()
  const problem = useProblem()
  const text = usePlaygroundState((state) => state.source.text)
  const isLarge = usePlaygroundState(isTooLargeToEdit)
  const isNarrow = useIsNarrow()
  const isChosen = usePlaygroundState((state) => state.source.readAs !== undefined)
  const hasPast = usePlaygroundState(({ history }) => history.past.length > 0)
  if (problem === undefined) return null
  const { offset = 0 } = problem
  const excerpt = offset > 0 ? lineExcerpt(text, offset) : undefined
  const showPlace = (at: Offset) => {
    // The comparison covers the text, and cannot be edited.
    const { store, actions } = playground
    if (viewOf(store.getState()) === 'diff') actions.setView('masked')
    const { id } = store.getState().source
    // In milliseconds; the editor may still load.
    const end = performance.now() + 10_000
    const jump = (now: number) => {
      const isAwaited = store.getState().source.id === id && now < end
      if (isAwaited && !goTo(playground, at)) requestAnimationFrame(jump)
    }
    requestAnimationFrame(jump)
  }
  const hasPlace = offset > 0 && !isLarge && isNarrow === false
  const line = hasPlace ? positionAt(lineIndexOf(text), offset).line : 0
  const ways = [
    isChosen && ([t('readAsRecognised'), () => void playground.actions.readAs(undefined)] as const),
    hasPlace && ([t('goToLine', { line }), () => showPlace(offset)] as const),
    hasPast && ([t('undo'), playground.actions.undo] as const),
  ]
  return (
    <div
      role="alert"
      className="flex shrink-0 flex-wrap items-baseline gap-x-3 gap-y-1 border-b border-l-3 border-l-bad bg-paper py-2 pr-3 pl-3.25 text-sm"
    >
      <div className="min-w-0 flex-1 basis-60 text-ink">
        <p>{sentence(problem)}</p>
        {/* The place of the problem, where no editor shows it. */}
        {(isLarge || isNarrow) && excerpt !== undefined && (
          <p className="overflow-hidden whitespace-pre font-mono text-soft text-xs leading-5">
            {excerpt.before}
            <mark className="rounded-xs bg-accent-tint text-bad">{excerpt.found || ' '}</mark>
            {excerpt.after}
          </p>
        )}
      </div>
      {ways.map(
        (way) =>
          way !== false && (
            <Button key={way[0]} kind="link" className="whitespace-nowrap" onClick={way[1]}>
              {way[0]}
            </Button>
          ),
      )}
      <ReadAsOffer />
      <RepairOffer />
    </div>
  )
}

/** The problem of the current text. While a change is read, the last problem stays, so that the layout does not jump. */
function useProblem(): Problem | undefined {
  const last = useRef<Problem>(undefined)
  const problem = usePlaygroundState((state) => {
    if (state.source.text === '') return undefined
    if (state.reading.state === 'failed') return state.reading.problem
    const isReread = state.reading.state === 'reading' && state.source.origin.kind === 'typed'
    return isReread ? last.current : undefined
  })
  last.current = problem
  return problem
}

/** Offers to read a JSON text as a format that does not recognise it by itself. */
function ReadAsOffer() {
  const { t, actions } = useView('panes')
  const words = useWords()
  const formats = usePlaygroundState(({ reading }) =>
    reading.state === 'failed' ? reading.formats : undefined,
  )
  if (formats === undefined) return null
  return (
    <select
      aria-label={t('readAs')}
      className="h-7 rounded-md border border-line bg-raised px-1.5"
      value=""
      onChange={({ target }) => void actions.readAs(target.value as FormatId)}
    >
      <option value="">{t('readAs')}</option>
      {formats.map(({ id, label }) => (
        <option key={id} value={id}>
          {words({ name: label })}
        </option>
      ))}
    </select>
  )
}

const MOST_SHOWN = 50

/** Offers to repair a text that is nearly JSON, with the edits. Renders nothing if no repair is known. */
function RepairOffer() {
  const { t, actions } = useView('panes.repair')
  const { t: risks } = useView('repair.risks')
  const text = usePlaygroundState(({ source }) => source.text)
  const fixes = usePlaygroundState(({ reading }) =>
    reading.state === 'failed' ? reading.repair : undefined,
  )
  const [first] = fixes ?? []
  if (fixes === undefined || first === undefined) return null
  const index = lineIndexOf(text)
  const { line } = positionAt(index, first.start)
  const left = fixes.length - MOST_SHOWN
  const risk = riskOf({ fixes })
  return (
    <div className="basis-full">
      <ol
        aria-label={t('edits')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
        className="max-h-22 overflow-y-auto"
      >
        {fixes.slice(0, MOST_SHOWN).map((fix) => (
          <li key={`${fix.start} ${fix.text}`} className="flex gap-2">
            <span className="shrink-0 text-soft tabular-nums">
              {t('line', { line: positionAt(index, fix.start).line })}
            </span>
            <code className="min-w-0 truncate whitespace-pre font-mono">
              {onOneLine(text.slice(Math.max(0, fix.start - CONTEXT_CHARS), fix.start))}
              {fix.end !== fix.start && (
                <ChangedText change="removed" text={clipped(text.slice(fix.start, fix.end))} />
              )}
              {fix.text.length > 0 && <ChangedText change="added" text={clipped(fix.text)} />}
              {onOneLine(text.slice(fix.end, fix.end + CONTEXT_CHARS))}
            </code>
          </li>
        ))}
        {left > 0 && <li className="text-soft">{t('more', { count: left })}</li>}
      </ol>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button size="small" onClick={() => actions.repairSource()}>
          {t(`offer.${offerKindOf(fixes)}`, { count: fixes.length, line })}
        </Button>
        {risk !== 'none' && (
          <span className="min-w-0 flex-1 basis-60 text-warn">{risks(risk)}</span>
        )}
      </div>
    </div>
  )
}

const CONTEXT_CHARS = 24
const MOST_CHARS = 80

function clipped(text: string): string {
  const part = onOneLine(text.slice(0, MOST_CHARS))
  return text.length > MOST_CHARS ? `${part}…` : part
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
