import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { BeforeAfter } from '@/lib/core/mask/measure-request'
import { familyOf } from '@/lib/state/models'
import { nonTextPartsOf } from '@/lib/state/request-facts'
import { measureOf } from '@/lib/state/selectors'
import { usePlaygroundState } from '../playground-context'
import { MeterBar } from '../ui/meter-bar'
import { useLatest } from '../ui/use-latest'
import { Announcement } from './announcement'
import { FamilyPicker } from './family-picker'
import { Figure, FigureLine } from './figure'
import { HowCounted } from './how-counted'
import { useChangeFormat } from './use-change-format'

export interface MetersProps {
  /** More figures for the same row. */
  readonly children?: ReactNode
}

/** What the policy does to the request that would be sent next. */
export function Meters({ children }: MetersProps) {
  const t = useTranslations('meters')
  const format = useFormatter()
  const formatChange = useChangeFormat()
  const measure = usePlaygroundState(measureOf)
  const hasDocument = usePlaygroundState(({ read }) => read !== undefined)
  const latest = useLatest(measure)
  const shown = hasDocument ? (measure ?? latest) : undefined
  const isOld = measure === undefined && shown !== undefined
  const isExact = usePlaygroundState((state) => familyOf(state).isExact)
  const nonText = usePlaygroundState(nonTextPartsOf)
  const dash = t('unknown')
  const number = (value: number | undefined) => (value === undefined ? dash : format.number(value))

  /** The parts of a line that goes from before to after; growth is said as growth. */
  const line = (change: BeforeAfter | undefined) => {
    const widest = Math.max(change?.before ?? 0, change?.after ?? 0)
    return {
      lead: change && number(change.before),
      value: number(change?.after),
      widest: change && number(widest),
      change: change && change.after !== change.before ? formatChange(change) : undefined,
      tone: toneOf(change),
      spoken: `${t('before', { value: number(change?.before) })} ${t('after', { value: number(change?.after) })}`,
    }
  }

  return (
    <section aria-label={t('label')} className="relative">
      <CountingBar />
      <div className="-mx-px flex flex-wrap gap-y-4 py-4 *:border-l">
        <Figure
          title={t('nextRequest')}
          isOld={isOld}
          bar={
            <MeterBar
              label={t('tokenBar')}
              value={shown?.tokens.after ?? 0}
              maximum={shown?.tokens.before ?? 1}
              tone={toneOf(shown?.tokens) === 'warn' ? 'warn' : 'ink'}
              valueText={`${number(shown?.tokens.after)} ${t('of', { all: number(shown?.tokens.before) })}`}
            />
          }
          note={
            <div className="-my-1 flex flex-wrap items-center justify-between gap-x-4">
              <span>{shown === undefined ? dash : tokenNote(shown.tokens)}</span>
              <span className="flex items-center gap-1.5">
                <FamilyPicker />
                <span>{t(isExact ? 'family.isExact' : 'family.isEstimate')}</span>
                <HowCounted />
              </span>
              {nonText > 0 && <span className="text-warn">{t('nonText', { n: nonText })}</span>}
            </div>
          }
        >
          <FigureLine {...line(shown?.tokens)} unit={t('tokens')} />
        </Figure>
        <Figure
          title={t('characters')}
          isOld={isOld}
          note={shown === undefined ? dash : characterNote(shown.chars)}
        >
          <FigureLine {...line(shown?.chars)} />
        </Figure>
        <Figure
          title={t('results')}
          isOld={isOld}
          note={shown === undefined ? dash : resultNote(shown)}
        >
          <FigureLine
            value={number(shown?.maskedResults)}
            unit={t('of', { all: number(shown?.results) })}
            spoken={`${number(shown?.maskedResults)} ${t('of', { all: number(shown?.results) })}`}
          />
        </Figure>
        {children}
      </div>
      <Announcement
        sentence={
          measure === undefined
            ? ''
            : t('announce', {
                after: number(measure.tokens.after),
                before: number(measure.tokens.before),
                change: tokenNote(measure.tokens),
                masked: number(measure.maskedResults),
                results: number(measure.results),
              })
        }
      />
    </section>
  )

  function tokenNote({ before, after }: BeforeAfter): string {
    if (after === before) return t('sameTokens')
    return after < before
      ? t('fewerTokens', { n: before - after })
      : t('moreTokens', { n: after - before })
  }

  function characterNote({ before, after }: BeforeAfter): string {
    if (after === before) return t('sameTokens')
    return after < before
      ? t('fewerCharacters', { n: before - after })
      : t('moreCharacters', { n: after - before })
  }

  function resultNote(measured: NonNullable<typeof shown>): string {
    const { tokens, resultTokens } = measured
    const share = (part: number, whole: number) =>
      whole === 0 ? dash : format.number(part / whole, { style: 'percent' })
    const before = share(resultTokens.before, tokens.before)
    const after = share(resultTokens.after, tokens.after)
    const messages = t('messages', {
      masked: number(measured.maskedMessages),
      all: number(measured.messages),
    })
    return `${messages} · ${t('share', { before, after })}`
  }
}

function toneOf(change: BeforeAfter | undefined): 'good' | 'warn' | 'plain' {
  if (change === undefined || change.after === change.before) return 'plain'
  return change.after < change.before ? 'good' : 'warn'
}

/** A hair at the top edge while tokens are counted. */
function CountingBar() {
  const t = useTranslations('meters')
  const counting = usePlaygroundState((state) => state.counting)
  if (counting === undefined) return null
  return (
    <div
      role="progressbar"
      aria-label={t('counting')}
      aria-valuenow={Math.round(counting * 100)}
      className="absolute inset-x-0 top-0 h-0.5 overflow-hidden"
    >
      <div
        className="h-full bg-accent transition-[width] duration-150"
        style={{ width: `${counting * 100}%` }}
      />
    </div>
  )
}
