import { useTranslations } from 'use-intl'
import type { RiskPoint } from '@/lib/core/uses/recommend-with-risk'
import { KEPT_SHARE, type Risk, riskAdviceOf, riskOf } from '@/lib/state/uses/risk'
import { useLateState, usePlayground } from '../playground-context'
import { Button } from '../ui/button'
import { Popover } from '../ui/popover'
import { useLatest } from '../ui/use-latest'
import { useFigureFormat } from '../use-figure-format'
import { OutcomesPopover } from './outcomes-popover'
import { useStepToLost } from './use-step-to-lost'

/** What masking loses and may cost, in one line; settings that take it into account open from there. */
export function RiskNote() {
  const t = useTranslations('uses.risk')
  const risk = useLatest(useLateState(riskOf))
  // Without later uses nothing can be lost, and the panes below keep their height.
  if (risk === undefined || risk.laterUses === 0) return null
  return (
    <section
      aria-label={t('label')}
      className="flex flex-wrap gap-x-6 gap-y-1 border-t py-2 text-sm text-soft sm:px-6 max-sm:px-4"
    >
      <div className="min-w-0 grow">
        {risk.lostUses === 0 && <p>{t('kept', { uses: risk.laterUses })}</p>}
        {risk.lostUses > 0 && <LostSentence risk={risk} />}
      </div>
      <Popover
        title={t('settings')}
        className="w-[min(30rem,calc(100vw-1rem))]"
        align="end"
        trigger={<Button kind="link">{t('settings')}</Button>}
      >
        <RiskAdviceLines />
      </Popover>
      <OutcomesPopover risk={risk} />
    </section>
  )
}

function LostSentence({ risk }: { readonly risk: Risk }) {
  const t = useTranslations('uses.risk')
  const format = useFigureFormat()
  const step = useStepToLost()
  const { before, worstCost, lostResults, lostUses, breakEven } = risk
  const link = (chunks: React.ReactNode) => (
    <Button kind="link" onClick={() => step(true)}>
      {chunks}
    </Button>
  )
  const counts = { results: lostResults, uses: lostUses, a: link }
  if (worstCost === undefined) return <p>{t.rich('lostWithoutPrices', counts)}</p>
  return (
    <p>
      {t.rich('lost', {
        ...counts,
        worst: format.change(before, worstCost),
        breakEven: breakEven ? format.number(breakEven) : 'none',
        b: (chunks) => <strong className="font-semibold">{chunks}</strong>,
      })}
    </p>
  )
}

function RiskAdviceLines() {
  const t = useTranslations('uses.risk')
  const format = useFigureFormat()
  const { actions } = usePlayground()
  const advice = useLatest(useLateState(riskAdviceOf))
  const before = useLateState((state) => riskOf(state)?.before)
  const policy = useLateState((state) => state.policy)
  const smallest = useLateState((state) => state.smallestWindow)
  if (advice === undefined || before === undefined) return null
  const { cheapestAtWorst, keeping } = advice
  const values = ({ windowTurns, batchTurns, cost, worstCost, lostUses }: RiskPoint) => ({
    window: windowTurns,
    batch: batchTurns,
    change: format.change(before, cost),
    worst: format.change(before, worstCost),
    lost: lostUses,
    b: (chunks: React.ReactNode) => <strong className="font-semibold">{chunks}</strong>,
  })
  const apply = (point: RiskPoint) => {
    const { windowTurns, batchTurns } = point
    const isSet =
      policy.enabled && policy.windowTurns === windowTurns && policy.batchTurns === batchTurns
    if (isSet) return t('isSet')
    const use = () => {
      actions.endGesture()
      actions.changePolicy({ windowTurns, batchTurns, enabled: true })
    }
    return (
      <Button kind="link" onClick={use}>
        {t('choose')}
      </Button>
    )
  }
  return (
    <div className="flex flex-col gap-2 text-sm">
      {cheapestAtWorst === undefined ? (
        <p>{t('noneAtWorst', { smallest })}</p>
      ) : (
        <p>
          {t.rich('cheapestAtWorst', values(cheapestAtWorst))} {apply(cheapestAtWorst)}
        </p>
      )}
      {keeping !== undefined && (
        <p>
          {t.rich(keeping.lostUses === 0 ? 'keepingAll' : 'keeping', {
            ...values(keeping),
            share: format.share(KEPT_SHARE),
          })}{' '}
          {apply(keeping)}
        </p>
      )}
      <p className="text-faint">{t('floor', { smallest })}</p>
    </div>
  )
}
