import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { shownTool } from '@/lib/core/conversation/conversation'
import type { ErrorMark } from '@/lib/core/policy/decide'
import { ERROR_MARKS, isMarkOn } from '@/lib/core/results/rule-effects'
import { conversationOf, slicesOf, textOfResult } from '@/lib/state/document/selectors'
import { excerptsOf, type MarkedResult } from '@/lib/state/policy/error-lab'
import { usePlaygroundState } from '../../playground-context'
import { Button } from '../../ui/button'
import { Select } from '../../ui/select'
import { TurnLink } from '../repeated-calls/turn-link'

const ROWS_AT_ONCE = 50

export interface MarkedResultsProps {
  readonly results: readonly MarkedResult[]
  readonly shown: ErrorMark | 'all'
  readonly onShow: (mark: ErrorMark | 'all') => void
}

/** The results that rules match: a mark for each rule, and the text that matched. */
export function MarkedResults({ results, shown, onShow }: MarkedResultsProps) {
  const t = useTranslations('errorLab')
  const names = useTranslations('results.rules')
  const [most, setMost] = useState(ROWS_AT_ONCE)
  const present = ERROR_MARKS.filter((mark) => results.some(({ marks }) => marks.includes(mark)))
  const chosen = shown !== 'all' && present.includes(shown) ? shown : 'all'
  const rows = chosen === 'all' ? results : results.filter(({ marks }) => marks.includes(chosen))
  return (
    <div className="min-w-0 flex-1 max-xl:mt-4">
      <Select
        kind="ghost"
        label={t('show')}
        value={chosen}
        onValueChange={onShow}
        options={[
          { value: 'all', label: t('all', { count: results.length }) },
          ...present.map((mark) => {
            const count = results.filter(({ marks }) => marks.includes(mark)).length
            return { value: mark, label: `${names(mark)} (${count})` }
          }),
        ]}
      />
      <table className="mt-1 w-full text-sm lg:table-fixed max-lg:block" aria-label={t('results')}>
        <thead className="text-left text-soft max-lg:hidden">
          <tr>
            <th className="w-34 font-medium">{t('result')}</th>
            {present.map((mark) => (
              <th key={mark} className="w-14 pr-1 align-bottom font-medium text-xs leading-tight">
                {names(mark)}
              </th>
            ))}
            <th className="font-medium">{t('match')}</th>
          </tr>
        </thead>
        <tbody className="max-lg:block">
          {rows.slice(0, most).map((row) => (
            <Row key={row.result} row={row} columns={present} chosen={chosen} />
          ))}
        </tbody>
      </table>
      {rows.length > most && (
        <Button kind="link" className="mt-2 text-sm" onClick={() => setMost(most + ROWS_AT_ONCE)}>
          {t('more', { count: Math.min(ROWS_AT_ONCE, rows.length - most) })}
        </Button>
      )}
    </div>
  )
}

interface RowProps {
  readonly row: MarkedResult
  readonly columns: readonly ErrorMark[]
  readonly chosen: ErrorMark | 'all'
}

function Row({ row: { result: at, marks, isKept }, columns, chosen }: RowProps) {
  const t = useTranslations('errorLab')
  const rules = useTranslations('results.rules')
  const policy = usePlaygroundState((state) => state.policy)
  const text = usePlaygroundState(({ read }) => read && slicesOf(read.source))
  const result = usePlaygroundState(conversationOf)?.results[at]
  if (result === undefined || text === undefined) return null
  const shown = chosen === 'all' ? marks : [chosen]
  return (
    <tr className="border-line border-t align-baseline max-lg:block max-lg:py-1.5 lg:[&>td]:py-1">
      <td className="pr-2 max-lg:block">
        <TurnLink turn={result.turn} message={result.message} result={at} />{' '}
        <span className="font-mono wrap-anywhere">{shownTool(result)}</span>
        {isKept && <span className="block text-soft text-xs">{t('isKept')}</span>}
      </td>
      {columns.map((mark) => (
        <td key={mark} className="max-lg:hidden">
          {marks.includes(mark) && <Dot isOn={isMarkOn(policy, mark)} rule={rules(mark)} />}
        </td>
      ))}
      <td className="min-w-0 max-lg:block">
        <Excerpts text={textOfResult(text, result)} marks={shown} />
      </td>
    </tr>
  )
}

function Dot({ isOn, rule }: { isOn: boolean; rule: string }) {
  const t = useTranslations('errorLab')
  const label = t(isOn ? 'on' : 'offMark', { rule })
  return (
    <span role="img" aria-label={label} title={label} className={isOn ? 'text-ink' : 'text-soft'}>
      {isOn ? '●' : '○'}
    </span>
  )
}

/** The first match of each rule, highlighted in the words around it. */
function Excerpts({ text, marks }: { text: string; marks: readonly ErrorMark[] }) {
  const t = useTranslations('errorLab')
  const names = useTranslations('results.rules')
  const patterns = usePlaygroundState(({ policy }) => policy.errorPatterns)
  const excerpts = excerptsOf(text, marks, patterns)
  if (excerpts.length === 0) return <span className="text-soft">{t('noText')}</span>
  return excerpts.map(({ mark, before, matched, after }) => (
    <span key={mark} className="block truncate font-mono text-soft text-xs leading-5">
      <span className="font-sans lg:hidden">{t('markOf', { rule: names(mark) })}</span>
      {before.slice(-24)}
      <mark className="rounded-xs bg-accent-tint text-ink">{matched}</mark>
      {after}
    </span>
  ))
}
