import { Check, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { TemplateCheck } from '@/lib/core/results/check-template'
import { choiceTotals, type TemplateChoice } from '@/lib/state/policy/policy-facts'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'
import { useFigureFormat } from '../use-figure-format'

interface TemplateListProps {
  readonly choices: readonly TemplateChoice[]
  /** In the order of `choices`; undefined until the worker answers. */
  readonly checks: readonly TemplateCheck[] | undefined
  readonly current: string
}

const COLUMNS = ['each', 'all', 'grown', 'named', 'stable', 'recognised'] as const

/** A row per template: its text, its tokens, the results it is longer than, and its checks. */
export function TemplateList({ choices, checks, current }: TemplateListProps) {
  const t = useTranslations('policy.templates')
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
        {choices.map((choice, index) => (
          <TemplateRow
            key={choice.template}
            choice={choice}
            check={checks?.[index]}
            isInUse={choice.template === current}
          />
        ))}
      </tbody>
    </table>
  )
}

interface TemplateRowProps {
  readonly choice: TemplateChoice
  readonly check: TemplateCheck | undefined
  readonly isInUse: boolean
}

function TemplateRow({ choice, check, isInUse }: TemplateRowProps) {
  const t = useTranslations('policy.templates')
  const nameOf = useTemplateName()
  const { actions } = usePlayground()
  const { template } = choice
  const name = nameOf(choice)
  const use = () => {
    actions.endGesture()
    actions.changePolicy({ placeholderTemplate: template })
    actions.endGesture()
  }
  return (
    <tr className="border-b align-baseline last:border-b-0 lg:[&>*]:py-2 max-lg:flex max-lg:flex-wrap max-lg:gap-x-4 max-lg:py-2.5">
      <th scope="row" className="w-full text-left font-normal max-lg:basis-full">
        <span className="font-medium">{name}</span>
        <span className="wrap-anywhere block font-mono text-soft text-sm">{template}</span>
      </th>
      {check === undefined ? (
        <td colSpan={COLUMNS.length} className="whitespace-nowrap pl-3 text-right text-faint">
          {t('counting')}
        </td>
      ) : (
        <>
          <Figures check={check} />
          <CheckCell label={t('columns.named')} failed={check.unnamed} of={check.results} />
          <CheckCell label={t('columns.stable')} failed={check.changing} of={check.results} />
          <CheckCell
            label={t('columns.recognised')}
            failed={check.unrecognised + check.mistaken}
            of={check.results}
          />
        </>
      )}
      <td className="whitespace-nowrap pl-3 text-right max-lg:ml-auto max-lg:pl-0">
        <Button
          size="small"
          disabled={isInUse}
          aria-label={isInUse ? undefined : t('useNamed', { name })}
          onClick={use}
        >
          {t(isInUse ? 'inUse' : 'use')}
        </Button>
      </td>
    </tr>
  )
}

const FIGURE = 'whitespace-nowrap text-right lg:pl-3'
/** Class of words that a wide screen shows in the column heading instead. */
const UNIT = 'text-soft text-sm lg:hidden'

function Figures({ check }: { check: TemplateCheck }) {
  const t = useTranslations('policy.templates')
  const { number } = useFigureFormat()
  const state = usePlaygroundState((whole) => whole)
  const totals = choiceTotals(state, check)
  if (totals === undefined) return <td colSpan={3} />
  const { least, most, all, grown, lost } = totals
  return (
    <>
      <td className={FIGURE}>
        {least === most ? number(least) : `${number(least)}–${number(most)}`}{' '}
        <span className={UNIT}>{t('units.each')}</span>
      </td>
      <td className={FIGURE}>
        {number(all)} <span className={UNIT}>{t('units.all')}</span>
      </td>
      <td className={`${FIGURE} ${grown > 0 ? 'text-warn' : 'text-faint'}`}>
        {grown > 0 ? t('grown', { grown, lost }) : number(0)}{' '}
        <span className={UNIT}>{t('units.grown')}</span>
      </td>
    </>
  )
}

/** A check that all results pass, or the number that fail it. */
function CheckCell({ label, failed, of }: { label: string; failed: number; of: number }) {
  const t = useTranslations('policy.templates')
  if (of === 0) return <td className={`text-faint ${FIGURE}`}>–</td>
  const isSound = failed === 0
  const Mark = isSound ? Check : X
  return (
    <td className={`${FIGURE} ${isSound ? 'text-good' : 'text-warn'}`}>
      <Mark aria-hidden className="mr-1 inline size-3.5 -translate-y-px" />
      <span className={UNIT}>{label} </span>
      <span className={isSound ? 'sr-only' : ''}>{t('passed', { failed, of })}</span>
    </td>
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
