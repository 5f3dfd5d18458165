import { useFormatter, useTranslations } from 'use-intl'
import type { BeforeAfter } from '@/lib/core/mask/measure-request'
import type { Replay } from '@/lib/core/replay/replay'
import { modelOf } from '@/lib/state/models'
import { replayOf } from '@/lib/state/savings'
import { usePlaygroundState } from '../playground-context'
import { PriceDialog } from '../savings/price-dialog'
import { useLatest } from '../ui/use-latest'
import { CachingNote } from './caching-note'
import { ChangeLine } from './change-line'
import { Figure } from './figure'
import { ModelPicker } from './model-picker'
import { useMoneyFormat } from './use-money-format'

/** What the whole session costs when every request is sent again: without caching, and with the model's. */
export function SessionFigures() {
  const t = useTranslations('savings.figures')
  const format = useFormatter()
  const formatMoney = useMoneyFormat()
  const replay = usePlaygroundState(replayOf)
  const hasDocument = usePlaygroundState(({ read }) => read !== undefined)
  const isModelKnown = usePlaygroundState((state) => modelOf(state) !== undefined)
  const latest = useLatest(replay)
  const shown = hasDocument ? (replay ?? latest) : undefined
  const isOld = replay === undefined && shown !== undefined
  const number = (value: number) => format.number(value)
  const plain = shown && moneyOf(shown, 'plain')
  const cached = shown && moneyOf(shown, 'cached')

  return (
    <>
      <Figure
        title={t('plain', { n: shown?.requests.length ?? 0 })}
        isOld={isOld}
        note={shown === undefined ? t('unknown') : <PlainNote replay={shown} />}
      >
        {plain === undefined && shown !== undefined && isModelKnown ? (
          <ChangeLine change={tokensOf(shown)} format={number} unit={t('tokens')} />
        ) : (
          <ChangeLine change={plain} format={formatMoney} />
        )}
      </Figure>
      <Figure
        title={
          <span className="flex w-full flex-wrap items-center gap-x-1.5 gap-y-1">
            {t.rich('cached', { model: () => <ModelPicker key="model" /> })}
            <PriceDialog />
          </span>
        }
        isOld={isOld}
        note={<CachingNote replay={shown} />}
      >
        <ChangeLine change={cached} format={formatMoney} />
      </Figure>
    </>
  )
}

function PlainNote({ replay }: { readonly replay: Replay }) {
  const t = useTranslations('savings.figures')
  const format = useFormatter()
  const formatMoney = useMoneyFormat()
  const answers = replay.after.costs.output
  return (
    <>
      {moneyOf(replay, 'plain') !== undefined && (
        <p>
          {t('inputTokens', {
            before: format.number(replay.before.tokens),
            after: format.number(replay.after.tokens),
          })}
        </p>
      )}
      {answers !== undefined && replay.outputTokens > 0 && (
        <p>{t('answers', { cost: formatMoney(answers) })}</p>
      )}
      <p className="max-sm:hidden">{t('plainHint')}</p>
    </>
  )
}

function tokensOf({ before, after }: Replay): BeforeAfter {
  return { before: before.tokens, after: after.tokens }
}

/** Dollars of input; undefined where a price it needs is unknown. */
function moneyOf({ before, after }: Replay, caching: 'plain' | 'cached'): BeforeAfter | undefined {
  const [first, second] = [before.costs[caching], after.costs[caching]]
  return first === undefined || second === undefined ? undefined : { before: first, after: second }
}
