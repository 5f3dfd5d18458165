import { useFormatter, useTranslations } from 'use-intl'
import { bindsThinking } from '@/lib/core/conversation/reasoning-marks'
import { REJECTIONS, undocumentedFor } from '@/lib/core/integrity/rejections'
import { modelNameOf, modelOf } from '@/lib/state/costs/chosen-model'
import { conversationOf } from '@/lib/state/document/selectors'
import type { FindingGroup } from '@/lib/state/integrity/history-findings'
import { historyFindingsOf, maskingFindingsOf } from '@/lib/state/integrity/history-findings'
import { maskingProofOf } from '@/lib/state/integrity/masking-proof'
import { useDeferredState, usePlaygroundState } from '../playground-context'
import { linkToTool } from '../shell/page-link'
import { Places } from './finding-list'

/** What providers reject in the history shown, what masking adds, and the proof that it changes nothing else. */
export function Checks() {
  const t = useTranslations('integrity')
  const conversation = usePlaygroundState(conversationOf)
  const history = useDeferredState(historyFindingsOf)
  const added = useDeferredState(maskingFindingsOf)
  const proof = useDeferredState(maskingProofOf)
  if (conversation === undefined) return <p className="text-soft">{t('empty')}</p>
  return (
    <div className="min-h-0 flex-1 overflow-y-auto pb-5">
      <Findings title={t('title')} groups={history} />
      {added.length > 0 && <Findings title={t('addedTitle')} groups={added} />}
      {proof !== undefined &&
        (proof.state === 'proven' ? (
          <p className="mt-4 max-w-prose text-soft text-sm">
            {t('proven', { strings: proof.strings })}
          </p>
        ) : (
          <p className="mt-4 max-w-prose text-bad">{t('refuted', { offset: proof.offset })}</p>
        ))}
    </div>
  )
}

function Findings({ title, groups }: { title: string; groups: readonly FindingGroup[] }) {
  const t = useTranslations('integrity')
  return (
    <section aria-label={title} className="not-first:mt-4">
      <h3 className="mb-1 font-medium text-soft text-sm">{title}</h3>
      {groups.length === 0 ? (
        <p className="max-w-prose">{t('nothing')}</p>
      ) : (
        <ul className="grid gap-x-10 gap-y-2.5 lg:grid-cols-2">
          {groups.map((group) => (
            <Finding key={group.rule} group={group} />
          ))}
        </ul>
      )}
    </section>
  )
}

const HINTED = ['missing_reasoning', 'missing_signature', 'edited_before_thinking'] as const

/** What was found, where, and which providers reject it. */
export function Finding({ group: { rule, places } }: { group: FindingGroup }) {
  const t = useTranslations('integrity')
  const sentence = t(`rules.${rule}`, { count: places.length })
  const hinted = HINTED.find((one) => one === rule)
  const undocumented = undocumentedFor(rule)
  const { list } = useFormatter()
  const name = usePlaygroundState((state) => modelNameOf(state).name)
  const shownName = usePlaygroundState((state) => modelOf(state)?.name) ?? name
  return (
    <li>
      <p className="max-w-prose">
        {sentence} <Places finding={sentence} places={places} />{' '}
        {rule === 'broken_arguments' && linkToTool('arguments')(t('repair'))}
      </p>
      <p className="max-w-prose text-soft text-sm">
        {[
          t('rejected', { providers: list(REJECTIONS[rule].rejects) }),
          undocumented.length > 0 && t('undocumented', { providers: list(undocumented) }),
          hinted !== undefined && t(`hints.${hinted}`),
          // Whether the model in use checks what precedes its thinking.
          rule === 'edited_before_thinking' &&
            t(bindsThinking(name) ? 'isInUse' : 'isNotInUse', { model: shownName }),
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
    </li>
  )
}
