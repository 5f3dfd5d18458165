import { useState } from 'react'
import { OPTIONAL_ERROR_RULES, shownTool } from '@/lib/core/conversation/conversation'
import type { ErrorMark } from '@/lib/core/policy/decide'
import { ERROR_MARKS, type ruleEffects, withMark } from '@/lib/core/results/rule-effects'
import { costTermsOf } from '@/lib/state/costs/cost-terms'
import { conversationOf, slicesOf, textOfResult } from '@/lib/state/document/selectors'
import { errorLabOf, type MarkedResult } from '@/lib/state/policy/error-lab'
import { useDeferredState, usePlaygroundState, useView } from '../../playground-context'
import { KindSelect } from '../../ui/select'
import { ShowMore } from '../../ui/show-more'
import { CheckboxField } from '../../ui/switch-field'
import { TurnLink } from '../finding-list'
import { ErrorMatches } from './error-matches'

/** The error rules with what each keeps, and the results that they match. */
export function ErrorRules() {
  const { t, format } = useView('errorLab')
  const lab = useDeferredState(errorLabOf)
  const isOn = usePlaygroundState(({ policy }) => policy.keepErrors)
  const price = usePrice()
  if (lab === undefined) return <p className="text-soft">{t('empty')}</p>
  if (lab.results.length === 0) return <p className="text-soft">{t('nothing')}</p>
  const { keptTokens: tokens } = lab
  const cost =
    tokens === undefined || price === undefined ? 'none' : format.money((tokens * price) / 1e6)
  const kept = lab.results.filter(({ isKept }) => isKept).length
  return (
    <div className="min-h-0 flex-1 overflow-y-auto pb-4 xl:flex xl:gap-8">
      <div className="shrink-0 xl:w-112">
        <p className="mb-2 text-sm">
          {isOn
            ? t('kept', {
                kept,
                tokens: tokens === undefined || kept === 0 ? 'none' : format.number(tokens),
                cost,
              })
            : t('off')}
        </p>
        <table className="w-full text-sm tabular-nums" aria-label={t('rules')}>
          <thead className="text-left text-soft">
            <tr>
              <th className="font-medium">{t('rule')}</th>
              <th className="pl-3 text-right font-medium">{t('matches')}</th>
              <th className="pl-3 text-right font-medium">{t('effect')}</th>
            </tr>
          </thead>
          <tbody>
            {lab.effects.map((effect) => (
              <RuleRow key={effect.mark} effect={effect} />
            ))}
          </tbody>
        </table>
      </div>
      <MarkedResults results={lab.results} />
    </div>
  )
}

const OPTIONAL: readonly ErrorMark[] = OPTIONAL_ERROR_RULES

/** Dollars per million tokens of input; undefined if unknown. */
const usePrice = () => useDeferredState(costTermsOf)?.prices.input?.price.base

function RuleRow({ effect }: { effect: ReturnType<typeof ruleEffects>[number] }) {
  const { mark, isOn, matches, changed, tokens } = effect
  const price = usePrice()
  const { t, format, actions, store } = useView('errorLab')
  const { t: names } = useView('results.rules')
  const amount = tokens === undefined ? undefined : Math.abs(tokens)
  const shown = format.number(amount)
  return (
    <tr className="border-line border-t align-top pointer-coarse:align-middle">
      <td>
        <CheckboxField
          label={
            <>
              {names(mark)}{' '}
              {OPTIONAL.includes(mark) && <span className="text-soft">{t('optional')}</span>}
            </>
          }
          isChecked={isOn}
          onChange={(next) => actions.changePolicy(withMark(store.getState().policy, mark, next))}
        />
      </td>
      <td className="py-1 pl-3 text-right">{format.number(matches)}</td>
      <td className="py-1 pl-3 text-right text-soft">
        {t(isOn ? 'frees' : 'keeps', { count: changed.length })}
        {changed.length > 0 && (
          <span className="block whitespace-nowrap">
            {t(isOn ? 'saves' : 'adds', { tokens: shown })}
            {amount !== undefined && price !== undefined && (
              <> · {format.money((amount * price) / 1e6)}</>
            )}
          </span>
        )}
      </td>
    </tr>
  )
}

const ROWS_AT_ONCE = 50

/** The results that rules match: a mark for each rule, and the text that matched. */
function MarkedResults({ results }: { readonly results: readonly MarkedResult[] }) {
  const [shown, setShown] = useState<ErrorMark | 'all'>('all')
  const { t } = useView('errorLab')
  const { t: names } = useView('results.rules')
  const [most, setMost] = useState(ROWS_AT_ONCE)
  const markedBy = (mark: ErrorMark) => results.filter(({ marks }) => marks.includes(mark))
  const present = ERROR_MARKS.filter((mark) => markedBy(mark).length > 0)
  const chosen = shown !== 'all' && present.includes(shown) ? shown : 'all'
  const rows = chosen === 'all' ? results : markedBy(chosen)
  return (
    <div className="min-w-0 flex-1 max-xl:mt-4">
      <KindSelect
        kind="ghost"
        label={t('show')}
        value={chosen}
        onValueChange={setShown}
        all={t('all', { count: results.length })}
        kinds={present.map((mark) => [mark, names(mark), markedBy(mark).length])}
      />
      <table className="mt-1 w-full text-sm lg:table-fixed max-lg:block" aria-label={t('results')}>
        <thead className="text-left text-soft max-lg:hidden">
          <tr>
            <th className="w-40 font-medium">{t('result')}</th>
            <th className="font-medium">{t('match')}</th>
          </tr>
        </thead>
        <tbody className="max-lg:block">
          {rows.slice(0, most).map((row) => (
            <Row key={row.result} row={row} chosen={chosen} />
          ))}
        </tbody>
      </table>
      <ShowMore all={rows.length} most={most} atOnce={ROWS_AT_ONCE} onMore={setMost} />
    </div>
  )
}

function Row(props: { readonly row: MarkedResult; readonly chosen: ErrorMark | 'all' }) {
  const { result: at, marks, isKept } = props.row
  const { t } = useView('errorLab')
  const text = usePlaygroundState(({ read }) => read && slicesOf(read.source))
  const result = usePlaygroundState(conversationOf)?.results[at]
  if (result === undefined || text === undefined) return null
  const shown = props.chosen === 'all' ? marks : [props.chosen]
  return (
    <tr className="border-line border-t align-baseline max-lg:block max-lg:py-1.5 lg:[&>td]:py-1">
      <td className="pr-2 max-lg:block">
        <TurnLink turn={result.turn} message={result.message} result={at} />{' '}
        <span className="font-mono wrap-anywhere">{shownTool(result)}</span>
        {isKept && <span className="block text-soft text-xs">{t('isKept')}</span>}
      </td>
      <td className="min-w-0 max-lg:block">
        {shown.every((mark) => mark === 'flag') && <span className="text-soft">{t('noText')}</span>}
        <ErrorMatches text={textOfResult(text, result)} marks={shown} />
      </td>
    </tr>
  )
}
