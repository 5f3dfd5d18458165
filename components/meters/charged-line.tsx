import { useTranslations } from 'use-intl'
import { chargeOfSession } from '@/lib/state/costs/charged-session'
import { useLateState } from '../playground-context'
import { useLatest } from '../ui/use-latest'
import { useFigureFormat } from '../use-figure-format'

/** What the provider charged for the session, where the file states it. */
export function ChargedLine() {
  const t = useTranslations('charged')
  const format = useFigureFormat()
  const charge = useLatest(useLateState(chargeOfSession))
  if (charge?.inputTokens === undefined) return null
  const tokens = format.number(charge.inputTokens)
  const b = (text: React.ReactNode) => <b className="font-semibold text-ink">{text}</b>
  return (
    <p>
      {charge.inputCost === undefined
        ? t.rich('lineTokens', { tokens, b })
        : t.rich('line', { cost: format.money(charge.inputCost), tokens, b })}
    </p>
  )
}
