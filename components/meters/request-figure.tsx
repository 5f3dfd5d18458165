import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { RequestMeasure } from '@/lib/core/mask/measure-request'
import { familyOf, modelOf } from '@/lib/state/costs/chosen-model'
import { nonTextPartsOf, requestOf, shownMeasureOf } from '@/lib/state/costs/request-view'
import { calibrationOf, estimatedSlopeOf, sessionOf } from '@/lib/state/costs/shown-session'
import { conversationKeyOf, usePlaygroundState, useShownOf } from '../playground-context'
import { useFigureFormat } from '../use-figure-format'
import { ChangeLine } from './change-line'
import { Figure } from './figure'

/** Tokens of the next request, or of the one looked at, before and after masking; `details` is a button beside the title. */
export function RequestFigure({ details }: { readonly details: ReactNode }) {
  const t = useTranslations('meters')
  const measure = usePlaygroundState(shownMeasureOf)
  const hasDocument = usePlaygroundState(({ read }) => read !== undefined)
  const request = usePlaygroundState((state) => state.request ?? 0) + 1
  const isLookingBack = usePlaygroundState((state) => requestOf(state) !== undefined)
  const count = usePlaygroundState((state) => sessionOf(state)?.requests.length ?? 0)
  const { shown, isOld } = useShownOf(measure, usePlaygroundState(conversationKeyOf))
  const { number } = useFigureFormat()
  const kind = usePlaygroundState((state) => {
    if (calibrationOf(state) !== undefined && estimatedSlopeOf(state) === undefined)
      return 'calibrated'
    return familyOf(state).isExact ? 'exact' : 'estimate'
  })
  const context = usePlaygroundState(modelOf)?.contextWindow
  const nonText = usePlaygroundState(nonTextPartsOf)

  return (
    <Figure
      title={
        <span className="flex items-center gap-x-1.5">
          {isLookingBack ? t('requestOf', { request, count }) : t('nextRequest')}
          <span
            className={`@max-[17rem]:hidden font-normal text-faint ${hasDocument ? '' : 'invisible'}`}
          >
            {t(`family.${kind}`)}
          </span>
          <span className="-my-1 pointer-coarse:-my-2.5">{details}</span>
        </span>
      }
      isOld={isOld}
      aside={shown === undefined ? t('unknown') : aside(shown)}
    >
      <ChangeLine change={shown?.tokens} format={number} unit={t('tokens')} />
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
