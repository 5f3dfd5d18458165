import { useTranslations } from 'use-intl'
import type { ReplayFigures } from '@/lib/core/replay/replay-figures'
import { chargeOfSession } from '@/lib/state/costs/charged-session'
import { useLateState } from '../playground-context'
import { chargedSentence } from '../savings/drawer/report/report-sentences'
import { useLatest } from '../ui/use-latest'
import { useFigureFormat } from '../use-figure-format'

/** What the provider charged for the session, where the file states it, and what it would have been. */
export function ChargedLine({ figures }: { readonly figures: ReplayFigures | undefined }) {
  const texts = { t: useTranslations('report'), format: useFigureFormat() }
  const charged = useLatest(useLateState(chargeOfSession))
  const policy = useLateState((state) => state.policy)
  const sentence = figures && chargedSentence(texts, charged, figures, policy)
  return sentence === undefined ? null : <p className="font-medium text-ink">{sentence}</p>
}
