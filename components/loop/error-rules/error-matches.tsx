import type { ErrorMark } from '@/lib/core/policy/decide'
import { isMarkOn, withMark } from '@/lib/core/results/rule-effects'
import { excerptsOf } from '@/lib/state/policy/error-lab'
import { usePlaygroundState, useView } from '../../playground-context'
import { QuietButton } from '../../ui/button'

/** The first match of each rule in the text of a result, in the words around it, with a button that turns the rule off. */
export function ErrorMatches(props: {
  readonly text: string
  readonly marks: readonly ErrorMark[]
  readonly hasSwitch?: boolean
}) {
  const { text, marks, hasSwitch = false } = props
  const { t, actions } = useView('errorLab')
  const { t: rules } = useView('results.rules')
  const policy = usePlaygroundState((state) => state.policy)
  return excerptsOf(text, marks, policy.errorPatterns).map(({ mark, before, matched, after }) => (
    <span key={mark} className="flex items-baseline gap-2 text-soft text-xs leading-5">
      <span className="min-w-0 truncate font-mono">
        <span className="font-sans">
          {t(isMarkOn(policy, mark) ? 'markOf' : 'markOff', { rule: rules(mark) })}
        </span>
        {before.slice(-24)}
        <mark className="rounded-xs bg-accent-tint text-ink">{matched}</mark>
        {after}
      </span>
      {hasSwitch && (
        <span className="ml-auto shrink-0">
          <QuietButton
            title={t('notAnErrorTip', { rule: rules(mark) })}
            onClick={() => actions.changePolicy(withMark(policy, mark, false))}
          >
            {t('notAnError')}
          </QuietButton>
        </span>
      )}
    </span>
  ))
}
