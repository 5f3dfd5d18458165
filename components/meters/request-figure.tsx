import { useTranslations } from 'use-intl'
import type { BeforeAfter, RequestMeasure } from '@/lib/core/mask/measure-request'
import { familyOf, modelOf } from '@/lib/state/costs/chosen-model'
import { nonTextPartsOf } from '@/lib/state/costs/request-view'
import { usePlaygroundState } from '../playground-context'
import { MeterBar } from '../ui/meter-bar'
import { useFigureFormat } from '../use-figure-format'
import { ChangeLine } from './change-line'
import { toneOf } from './change-tone'
import { Figure } from './figure'
import { HowCounted } from './how-counted'

export interface RequestFigureProps {
  readonly title: string
  readonly measure: RequestMeasure | undefined
  readonly isOld: boolean
}

/** Tokens of a request before and after masking, its share of the context, and the number of masked messages. */
export function RequestFigure({ title, measure, isOld }: RequestFigureProps) {
  const t = useTranslations('meters')
  const format = useFigureFormat()
  const isExact = usePlaygroundState((state) => familyOf(state).isExact)
  const model = usePlaygroundState(modelOf)
  const nonText = usePlaygroundState(nonTextPartsOf)
  const { number } = format
  const percent = (part: number, whole: number) =>
    whole === 0 ? t('unknown') : format.share(part / whole)
  const context = model?.contextWindow
  const tokens = measure?.tokens
  const whole = context ?? tokens?.before ?? 1

  return (
    <Figure
      title={
        <span className="flex flex-wrap items-center gap-x-1.5">
          {title}
          <span className="font-normal text-faint">
            {t(isExact ? 'family.isExact' : 'family.isEstimate')}
          </span>
          <span className="-my-1 pointer-coarse:-my-2.5">
            <HowCounted />
          </span>
        </span>
      }
      isOld={isOld}
      bar={
        <MeterBar
          label={t(context === undefined ? 'tokenBar' : 'contextBar')}
          value={tokens?.after ?? 0}
          before={tokens?.before}
          maximum={whole}
          tone={toneOf(tokens) === 'warn' || (tokens?.after ?? 0) > whole ? 'warn' : 'ink'}
          valueText={`${number(tokens?.after ?? 0)} ${t('of', { all: number(whole) })}`}
        />
      }
      note={
        measure === undefined ? (
          t('unknown')
        ) : (
          <>
            <p>
              {context === undefined ? t('contextUnknown') : contextNote(measure.tokens, context)}
            </p>
            <p>
              {t('resultsMasked', {
                masked: number(measure.maskedResults),
                results: number(measure.results),
                messages: number(measure.messages),
                maskedMessages: number(measure.maskedMessages),
              })}
            </p>
            <p>
              {t('characters', {
                before: number(measure.chars.before),
                after: number(measure.chars.after),
                change: format.change(measure.chars.before, measure.chars.after),
              })}
              {' · '}
              {t('share', {
                before: percent(measure.resultTokens.before, measure.tokens.before),
                after: percent(measure.resultTokens.after, measure.tokens.after),
              })}
            </p>
            {nonText > 0 && <p className="text-warn">{t('nonText', { n: nonText })}</p>}
          </>
        )
      }
    >
      <ChangeLine change={tokens} format={number} unit={t('tokens')} />
    </Figure>
  )

  function contextNote({ before, after }: BeforeAfter, limit: number): string {
    return t(after > limit ? 'contextOver' : 'context', {
      model: model?.name ?? '',
      limit: format.number(limit),
      before: percent(before, limit),
      after: percent(after, limit),
    })
  }
}
