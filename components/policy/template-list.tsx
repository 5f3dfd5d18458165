import { Check, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { TemplateCheck } from '@/lib/core/results/check-template'
import { choiceTotals, type TemplateChoice } from '@/lib/state/policy/policy-facts'
import { usePlaygroundState, useView } from '../playground-context'
import { Button } from '../ui/button'

const COLUMNS = ['each', 'all', 'grown', 'named', 'stable', 'recognised'] as const

/** A row per template: its text, its tokens, the results it is longer than, and its checks. */
export function TemplateList(props: {
  readonly choices: readonly TemplateChoice[]
  /** In the order of `choices`; undefined until the worker answers. */
  readonly checks: readonly TemplateCheck[] | undefined
  readonly current: string
}) {
  const { choices, checks, current } = props
  const { t, actions } = useView('policy.templates')
  const nameOf = useTemplateName()
  const use = (placeholderTemplate: string) => {
    actions.endGesture()
    actions.changePolicy({ placeholderTemplate })
    actions.endGesture()
  }
  return (
    <table aria-label={t('title')} className="w-full max-lg:block">
      <thead className="text-soft text-sm max-lg:hidden">
        <tr className="shadow-[inset_0_-1px_var(--line)] [&>th]:py-1 [&>th]:font-medium">
          <th scope="col" className="text-left">
            {t('columns.template')}
          </th>
          {COLUMNS.map((column) => (
            <th key={column} scope="col" className="pl-3 text-right">
              {t(`columns.${column}`)}
            </th>
          ))}
          <td />
        </tr>
      </thead>
      <tbody className="max-lg:block">
        {choices.map((choice, index) => {
          const { template } = choice
          const check = checks?.[index]
          const isInUse = template === current
          const name = nameOf(choice)
          return (
            <tr
              key={template}
              className="border-b align-baseline last:border-b-0 lg:[&>*]:py-2 max-lg:flex max-lg:flex-wrap max-lg:gap-x-4 max-lg:py-2.5"
            >
              <th scope="row" className="w-full text-left font-normal max-lg:basis-full">
                <span className="font-medium">{name}</span>
                <span className="wrap-anywhere block font-mono text-soft text-sm">{template}</span>
              </th>
              {check === undefined ? (
                <td
                  colSpan={COLUMNS.length}
                  className="whitespace-nowrap pl-3 text-right text-faint"
                >
                  {t('counting')}
                </td>
              ) : (
                <Figures check={check} />
              )}
              <td className="whitespace-nowrap pl-3 text-right max-lg:ml-auto max-lg:pl-0">
                <Button
                  size="small"
                  disabled={isInUse}
                  aria-label={isInUse ? undefined : t('useNamed', { name })}
                  onClick={() => use(template)}
                >
                  {t(isInUse ? 'inUse' : 'use')}
                </Button>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const FIGURE = 'whitespace-nowrap text-right lg:pl-3'
/** Class of words that a wide screen shows in the column heading instead. */
const UNIT = 'text-soft text-sm lg:hidden'

function Figures({ check }: { check: TemplateCheck }) {
  const { t, format } = useView('policy.templates')
  const totals = choiceTotals(
    usePlaygroundState((whole) => whole),
    check,
  )
  const { least = 0, most = 0, all = 0, grown = 0, lost = 0 } = totals ?? {}
  const [from, to] = [format.number(least), format.number(most)]
  const figures = [
    ['each', least === most ? from : `${from}–${to}`, ''],
    ['all', format.number(all), ''],
    [
      'grown',
      grown > 0 ? t('grown', { grown, lost }) : format.number(0),
      grown > 0 ? 'text-warn' : 'text-faint',
    ],
  ] as const
  const failures = [
    ['named', check.unnamed],
    ['stable', check.changing],
    ['recognised', check.unrecognised + check.mistaken],
  ] as const
  const of = check.results
  return (
    <>
      {totals === undefined ? (
        <td colSpan={3} />
      ) : (
        figures.map(([column, text, tone]) => (
          <td key={column} className={`${FIGURE} ${tone}`}>
            {text} <span className={UNIT}>{t(`units.${column}`)}</span>
          </td>
        ))
      )}
      {/* Whether all results pass a check, or the number that fail it. */}
      {failures.map(([column, failed]) => {
        const isSound = failed === 0
        const Mark = isSound ? Check : X
        return of === 0 ? (
          <td key={column} className={`text-faint ${FIGURE}`}>
            –
          </td>
        ) : (
          <td key={column} className={`${FIGURE} ${isSound ? 'text-good' : 'text-warn'}`}>
            <Mark aria-hidden className="mr-1 inline size-3.5 -translate-y-px" />
            <span className={UNIT}>{t(`columns.${column}`)} </span>
            <span className={isSound ? 'sr-only' : ''}>{t('passed', { failed, of })}</span>
          </td>
        )
      })}
    </>
  )
}

/** The name of a template, such as “French, short”. */
export function useTemplateName(): (choice: TemplateChoice) => string {
  const t = useTranslations('policy.templates')
  return ({ language, kind }) =>
    language === undefined || kind === undefined
      ? t('own')
      : t('name', { language: t(`languages.${language}`), kind: t(`kinds.${kind}`) })
}
