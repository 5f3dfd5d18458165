import { Fragment, useState } from 'react'
import type { FindingOccurrence, LoopFinding } from '@/lib/core/loop/find-repeated-calls'
import { FINDING_KINDS } from '@/lib/core/loop/find-repeated-calls'
import { conversationOf, slicesOf, textOfResult } from '@/lib/state/document/selectors'
import { stepResult } from '@/lib/state/timeline/window-edge'
import { usePlaygroundState, useView } from '../playground-context'
import { useJump } from '../shell/page-link'
import { Button } from '../ui/button'
import { ShowMore } from '../ui/show-more'

const AT_ONCE = 50

/** Findings by kind, with what they cost and where they are. */
export function FindingList({ findings }: { readonly findings: readonly LoopFinding[] }) {
  const { t } = useView('loop.repeatedCalls')
  const [most, setMost] = useState(AT_ONCE)
  return (
    <section aria-label={t('list.label')}>
      {FINDING_KINDS.map((kind) => {
        const ofKind = findings.slice(0, most).filter((finding) => finding.kind === kind)
        return (
          ofKind.length > 0 && (
            <section key={kind} className="mb-4">
              <h3 className="mb-1 font-medium text-soft text-sm">
                {t(`kinds.${kind}`)}{' '}
                {findings.reduce((count, finding) => count + Number(finding.kind === kind), 0)}
              </h3>
              <ul className="grid gap-x-10 gap-y-2 lg:grid-cols-2">
                {ofKind.map((finding) => (
                  <Finding key={finding.key} finding={finding} />
                ))}
              </ul>
            </section>
          )
        )
      })}
      <ShowMore all={findings.length} most={most} atOnce={AT_ONCE} onMore={setMost} />
    </section>
  )
}

const MOST_CHARS = 200

/** The repeated call, or what it returned again; how often, at what cost, and where. */
function Finding({ finding }: { readonly finding: LoopFinding }) {
  const { calls, occurrences, tokens, stopped, kind } = finding
  const { t, format } = useView('loop.repeatedCalls')
  const names = calls.map(({ name }) => name ?? t('list.noName'))
  // The first part of an error message, on one line.
  const errorText = usePlaygroundState((state) => {
    const found = conversationOf(state)?.results[occurrences[0]?.result ?? -1]
    if (kind !== 'error' || state.read === undefined || found === undefined) return undefined
    const whole = textOfResult(slicesOf(state.read.source), found)
    return whole.slice(0, MOST_CHARS).replace(/\s+/g, ' ')
  })
  const facts = [
    t('list.times', { count: occurrences.length }),
    compared(),
    tokens > 0 && t('list.tokens', { tokens }),
    stopped > 0 && t('list.stopped', { count: stopped }),
  ]
  return (
    <li className="min-w-0">
      <p className="line-clamp-2 wrap-anywhere">
        {names.map((name, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a call is known by its position
          <Fragment key={at}>
            {at > 0 && <span className="text-faint"> ⇄ </span>}
            <span className="font-medium">{name}</span>{' '}
            <span className="font-mono text-soft text-sm">
              {errorText ?? calls[at]?.argumentsPreview.replace(/^.{80}$/u, '$&…')}
            </span>
          </Fragment>
        ))}
      </p>
      <p className="text-soft text-sm">
        {facts.filter(Boolean).join(' · ')} ·{' '}
        <Places
          finding={names.join(' ⇄ ')}
          places={occurrences}
          noteOf={(at) => noteOf(occurrences[at] as FindingOccurrence)}
        />
      </p>
    </li>
  )

  /** Counts the occurrences whose result, or whose call by an id, equals the previous one. */
  function compared() {
    const compares = kind === 'id' ? 'isSameCall' : 'isSameResult'
    const known = occurrences.map((one) => one[compares]).filter((value) => value !== undefined)
    const same = known.filter(Boolean).length
    if (same === 0 || same === known.length)
      return known.length > 0 && t(`list.${compares}.${same > 0}`)
    return t('list.sameOf', { same, of: known.length })
  }

  /** Its distance from the one before, if its result is the same, and the guard that stops it. */
  function noteOf({ turnsApart: turns, timeApart, isSameResult, guard }: FindingOccurrence) {
    const time = timeApart === undefined ? '' : `, ${format.duration(timeApart)}`
    return [
      turns !== undefined && t('list.apart', { turns, time }),
      isSameResult !== undefined && t(`list.isSameResult.${isSameResult}`),
      guard !== undefined && t('list.guard', { guard: t(`guards.${guard}`) }),
    ]
      .filter(Boolean)
      .join(' · ')
  }
}

/** Places listed by name; the button leads to the others. */
const MOST_PLACES = 4

/** Links to the places of a finding. */
export function Places(props: {
  /** In words. */
  readonly finding: string
  readonly places: readonly Pick<Parameters<typeof TurnLink>[0], 'message' | 'result'>[]
  /** What is said of a place beside its turn. */
  readonly noteOf?: (at: number) => string
}) {
  const { finding, places, noteOf } = props
  const { t, store } = useView('integrity')
  const jump = useJump()
  const messages = usePlaygroundState(conversationOf)?.messages ?? []
  const step = () => {
    const found = places.map(({ message }) => message)
    const at = stepResult(found, store.getState().selection?.message)
    const place = places.find(({ message }) => message === at)
    if (place !== undefined) jump(place.message, place.result)
  }
  return (
    <>
      {places.slice(0, MOST_PLACES).map(({ message, result }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places keep their order
        <Fragment key={at}>
          {at > 0 && ' '}
          {/* A comma stays on the line of its link. */}
          <span className="whitespace-nowrap" title={noteOf?.(at)}>
            <TurnLink turn={messages[message]?.turn} message={message} result={result} />
            {at < Math.min(places.length, MOST_PLACES + 1) - 1 && ','}
          </span>
        </Fragment>
      ))}
      {places.length > MOST_PLACES && (
        <>
          {' … '}
          <Button kind="link" aria-label={t('showOf', { finding })} onClick={step}>
            {t('show')}
          </Button>
        </>
      )}
    </>
  )
}

/** Link to a turn or message in the panes. */
export function TurnLink(props: {
  /** Index from 0; undefined for a message outside any turn. */
  readonly turn: number | undefined
  readonly message: number
  readonly result?: number | undefined
}) {
  const { turn, message, result } = props
  const { t } = useView('integrity')
  const jump = useJump()
  const isShown = usePlaygroundState(({ selection }) => selection?.message === message)
  return (
    <button
      type="button"
      aria-current={isShown ? 'true' : undefined}
      onClick={() => jump(message, result)}
      className="relative cursor-pointer rounded-xs text-accent underline decoration-1 underline-offset-3 before:absolute before:-inset-x-1 before:-inset-y-1 before:content-[''] hover:decoration-2 aria-[current=true]:font-semibold pointer-coarse:before:-inset-y-3"
    >
      {turn === undefined ? t('message', { message: message + 1 }) : t('turn', { turn: turn + 1 })}
    </button>
  )
}
