import { useTranslations } from 'use-intl'
import { shownTool } from '@/lib/core/conversation/conversation'
import {
  type PlaceholderPrice,
  placeholderPreviewOf,
  placeholderPriceOf,
} from '@/lib/state/policy/policy-facts'
import { decisionsOf } from '@/lib/state/policy/policy-view'
import { useDeferredState, usePlayground, useShown } from '../playground-context'
import { Button } from '../ui/button'
import { useFigureFormat } from '../use-figure-format'

/** Tokens of the placeholders. While new ones are counted, the last figures stay but dimmed. */
export function PlaceholderPriceLine() {
  const t = useTranslations('policy.placeholder')
  const { shown: price, isOld } = useShown(placeholderPriceOf)
  const isNothingMasked = useDeferredState(
    (state) =>
      decisionsOf(state)?.[state.conversation]?.every(({ action }) => action === 'keep') ?? false,
  )
  const hasConversation = useDeferredState((state) => state.read !== undefined)
  const shown = isNothingMasked ? undefined : price
  if (!hasConversation) return null
  return (
    <span className={`text-soft text-sm ${isOld && shown !== undefined ? 'faded' : ''}`}>
      {shown === undefined ? t(isNothingMasked ? 'priceNone' : 'counting') : sentence(shown)}
    </span>
  )

  function sentence({ least, most, all }: PlaceholderPrice): string {
    return least === most
      ? t('priceOne', { tokens: least, all })
      : t('priceRange', { least, most, all })
  }
}

/** The placeholder of one result of the conversation. */
export function PlaceholderPreviewLine() {
  const t = useTranslations('policy.placeholder')
  const { number } = useFigureFormat()
  const preview = useDeferredState(placeholderPreviewOf)
  if (preview === undefined) return null
  const { result, text, tokensBefore, tokensAfter } = preview
  const tool = shownTool(result) ?? t('unknownTool')
  return (
    <div className="mt-2">
      <div className="flex items-baseline justify-between gap-3 text-sm">
        <span className="min-w-0 truncate text-soft">
          {result.turn === undefined
            ? t('previewOrphan', { tool })
            : t('preview', { turn: result.turn + 1, tool })}
        </span>
        <span className="shrink-0 text-soft">
          {t('change', { before: number(tokensBefore), after: number(tokensAfter) })}
        </span>
      </div>
      <p className="mt-1 border-accent border-l-2 pl-2.5 line-clamp-6 font-mono text-sm text-soft wrap-anywhere">
        {text}
      </p>
    </div>
  )
}

/** Warns if placeholders use more tokens than the results, and offers the setting that prevents it. */
export function PlaceholderGrowth() {
  const t = useTranslations('policy.placeholder')
  const { actions } = usePlayground()
  const price = useDeferredState(placeholderPriceOf)
  if (price === undefined || price.grown === 0) return null
  return (
    <p className="mt-2 text-sm text-warn">
      {t('grows', { n: price.grown, lost: price.lost })}{' '}
      <Button kind="link" onClick={() => actions.changePolicy({ neverGrow: true })}>
        {t('neverGrow')}
      </Button>
    </p>
  )
}
