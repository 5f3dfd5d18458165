import { useTranslations } from 'use-intl'
import type { RequestMeasure } from '@/lib/core/mask/measure-request'
import { familyOf, modelOf } from '@/lib/state/costs/chosen-model'
import { nonTextPartsOf } from '@/lib/state/costs/request-view'
import { usePlaygroundState } from '../playground-context'
import { useFigureFormat } from '../use-figure-format'
import { ChangeLine } from './change-line'
import { Figure } from './figure'
import { LazyHowCounted } from './lazy-how-counted'

export interface RequestFigureProps {
  readonly title: string
  readonly measure: RequestMeasure | undefined
  readonly isOld: boolean
}

/** Tokens of a request before and after masking; its characters and its share of the context are in a popover. */
export function RequestFigure({ title, measure, isOld }: RequestFigureProps) {
  const t = useTranslations('meters')
  const { number } = useFigureFormat()
  const isExact = usePlaygroundState((state) => familyOf(state).isExact)
  const context = usePlaygroundState(modelOf)?.contextWindow
  const nonText = usePlaygroundState(nonTextPartsOf)

  return (
    <Figure
      title={
        <span className="flex items-center gap-x-1.5">
          {title}
          <span className="font-normal text-faint">
            {t(isExact ? 'family.isExact' : 'family.isEstimate')}
          </span>
          <span className="-my-1 pointer-coarse:-my-2.5">
            <LazyHowCounted measure={measure} />
          </span>
        </span>
      }
      isOld={isOld}
      aside={measure === undefined ? t('unknown') : aside(measure)}
    >
      <ChangeLine change={measure?.tokens} format={number} unit={t('tokens')} />
    </Figure>
  )

  function aside({ maskedResults, results, tokens }: RequestMeasure) {
    const isOver = context !== undefined && tokens.after > context
    return (
      <>
        {t('resultsMasked', { masked: number(maskedResults), results: number(results) })}
        {isOver && (
          <span className="text-warn"> {t('contextOver', { limit: number(context) })}</span>
        )}
        {nonText > 0 && <span className="text-warn"> {t('nonText', { n: nonText })}</span>}
      </>
    )
  }
}
