'use client'

import { ChevronRight } from 'lucide-react'
import { Fragment } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { slicesOf, textOfResult } from '@/lib/state/document/selectors'
import type { LoopFinding } from '@/lib/state/loop/loop-findings'
import { usePlaygroundState } from '../../playground-context'
import { CELL, type ListedRow, ROW, UNIT } from './row-layout'
import { TurnLink } from './turn-link'

export interface FindingRowProps {
  readonly finding: LoopFinding
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly row: ListedRow
}

/** Number of turns listed before the others are counted. */
const MOST_TURNS = 3

/** A finding: the repeated call, its turns, its count and its tokens. */
export function FindingRow({ finding, isOpen, onToggle, row }: FindingRowProps) {
  const t = useTranslations('loop.repeatedCalls.table')
  const format = useFormatter()
  const { calls, occurrences, tokens, stopped, kind } = finding
  const compares = kind === 'id' ? 'isSameCall' : 'isSameResult'
  const shown = occurrences.slice(
    0,
    occurrences.length === MOST_TURNS + 1 ? MOST_TURNS + 1 : MOST_TURNS,
  )
  return (
    <tr className={`${ROW} hover:bg-line/25 lg:[&>td]:py-1 max-lg:py-1.5 max-lg:pl-7.5`} {...row}>
      <td className={CELL.call}>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex w-full min-w-0 cursor-pointer items-baseline gap-1.5 rounded-sm text-left pointer-coarse:min-h-11 pointer-coarse:items-center"
        >
          <ChevronRight
            aria-hidden
            className={`size-3.5 shrink-0 translate-y-0.5 text-soft pointer-coarse:translate-y-0 transition-transform ${isOpen ? 'rotate-90' : ''}`}
          />
          <span className="sr-only">{t('open')}</span>
          <span className={`min-w-0 ${isOpen ? 'break-words' : 'truncate'}`}>
            {calls.map((call, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a call is known by its position
              <Fragment key={at}>
                {at > 0 && (
                  <>
                    <span aria-hidden className="text-faint">{` ⇄ `}</span>
                    <span className="sr-only">{t('and')} </span>
                  </>
                )}
                <span className="font-medium">{call.name ?? t('noName')}</span>{' '}
                <span className="font-mono text-soft text-sm">{call.argumentsPreview}</span>
              </Fragment>
            ))}
            {kind === 'error' && <ErrorText result={occurrences[0]?.result} />}
          </span>
        </button>
      </td>
      <td className={CELL.turns}>
        {shown.map(({ turn, message, result }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: occurrences keep their order
          <Fragment key={at}>
            {at > 0 && ' '}
            <TurnLink turn={turn} message={message} result={result} isShort />
          </Fragment>
        ))}
        {occurrences.length > shown.length && (
          <span className="text-soft">
            {' '}
            {t('more', { count: occurrences.length - shown.length })}
          </span>
        )}
      </td>
      <td className={CELL.times}>{t('timesUnit', { count: occurrences.length })}</td>
      <td className={`${CELL.result} text-soft`}>
        <Compared
          values={occurrences.map((occurrence) => occurrence[compares])}
          compares={compares}
        />
      </td>
      <td className={CELL.tokens}>
        {format.number(tokens)} <span className={UNIT}>{t('tokensUnit')}</span>
      </td>
      <td className={CELL.stopped}>
        {stopped === 0 ? (
          <span className="text-faint max-lg:hidden">{t('unknown')}</span>
        ) : (
          <>
            {format.number(stopped)}{' '}
            <span className={UNIT}>{t('stoppedUnit', { count: stopped })}</span>
          </>
        )}
      </td>
    </tr>
  )
}

interface ComparedProps {
  readonly values: readonly (boolean | undefined)[]
  readonly compares: 'isSameCall' | 'isSameResult'
}

/** Counts the occurrences whose result equals the previous one. */
function Compared({ values, compares }: ComparedProps) {
  const t = useTranslations('loop.repeatedCalls.table')
  const known = values.filter((value) => value !== undefined)
  const same = known.filter(Boolean).length
  if (known.length === 0) return null
  if (same === 0 || same === known.length) return t(`${compares}.${same > 0}`)
  return t('sameOf', { same, of: known.length })
}

const MOST_CHARS = 200

/** First part of an error message, on one line. */
function ErrorText({ result }: { readonly result: number | undefined }) {
  const text = usePlaygroundState((state) => {
    const found =
      result === undefined
        ? undefined
        : state.read?.model.conversations[state.conversation]?.results[result]
    if (state.read === undefined || found === undefined) return ''
    return textOfResult(slicesOf(state.read.source), found)
      .slice(0, MOST_CHARS)
      .replace(/\s+/g, ' ')
  })
  return <span className="font-mono text-soft text-sm">{text}</span>
}
