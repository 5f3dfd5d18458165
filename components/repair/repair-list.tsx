import { useEffect, useId, useState } from 'react'
import { groupBy } from '@/lib/core/conversation/add-to-group'
import type { ArgumentsCheck } from '@/lib/core/repair/check-arguments'
import type { BrokenCall } from '@/lib/core/repair/repair-document'
import type { Name } from '@/lib/core/words/words'
import type { TriedRepair } from '@/lib/state/repair/document-repair'
import { OUTCOME_KINDS, outcomeOf, type RepairOutcomeKind } from '@/lib/state/repair/shown-repair'
import { useWords } from '../language-provider'
import { usePlayground, usePlaygroundState, useView } from '../playground-context'
import { copyText } from '../save-file'
import { useJump } from '../shell/page-link'
import { Button } from '../ui/button'
import { SegmentedControl } from '../ui/segmented-control'
import { ShowMore } from '../ui/show-more'
import { TextArea } from '../ui/switch-field'
import { RepairOutcome } from './repair-outcome'

const CALLS_AT_ONCE = 20

/** Broken calls, filtered by outcome, twenty at a time. */
export function RepairList({ calls }: { calls: readonly BrokenCall[] }) {
  const { t, store, actions } = useView('repair')
  const jump = useJump()
  const [limit, setLimit] = useState(CALLS_AT_ONCE)
  const [kind, setKind] = useState<RepairOutcomeKind | 'all'>('all')
  const byOutcome = groupBy(calls, outcomeOf)
  // The chosen filter can become empty when the limits change.
  const chosen = kind !== 'all' && byOutcome.has(kind) ? kind : 'all'
  const wanted = chosen === 'all' ? calls : (byOutcome.get(chosen) ?? [])
  const heading = ({ name = t('noName'), message: at, conversation }: BrokenCall) => {
    // Messages are numbered from 1 on screen.
    const message = at + 1
    const show = () => {
      if (store.getState().conversation !== conversation) actions.chooseConversation(conversation)
      jump(at)
    }
    return (
      <h3 className="flex flex-wrap items-baseline gap-x-2">
        <strong className="break-all font-medium font-mono text-sm">{name}</strong>
        <span className="text-sm text-soft tabular-nums">{t('message', { message })}</span>
        <span className="ml-auto text-sm">
          <Button kind="link" aria-label={t('showNamed', { name, message })} onClick={show}>
            {t('show')}
          </Button>
        </span>
      </h3>
    )
  }
  return (
    <>
      {byOutcome.size > 1 && (
        <div className="mt-3 overflow-x-auto">
          <SegmentedControl
            label={t('filter.label')}
            kind="quiet"
            value={chosen}
            options={(['all', ...OUTCOME_KINDS] as const).flatMap((value) => {
              const count = value === 'all' ? calls.length : byOutcome.get(value)?.length
              return count === undefined ? [] : [{ value, label: t(`filter.${value}`, { count }) }]
            })}
            onValueChange={(value) => {
              setKind(value)
              setLimit(CALLS_AT_ONCE)
            }}
          />
        </div>
      )}
      <ol aria-label={t('list')} className="mt-1 flex flex-col divide-y divide-line">
        {wanted.slice(0, limit).map((call) => (
          <li key={call.span.start} className="py-3">
            {heading(call)}
            <RepairOutcome before={call.before} result={call.result} />
            {call.check !== undefined && <SchemaCheck check={call.check} />}
          </li>
        ))}
      </ol>
      <ShowMore all={wanted.length} most={limit} atOnce={CALLS_AT_ONCE} onMore={setLimit} />
    </>
  )
}

/** Tells if the repaired arguments match the tool's schema. */
function SchemaCheck({ check }: { check: ArgumentsCheck }) {
  const { t } = useView('repair.schema')
  const words = useWords()
  if (check.state !== 'differs') return <p className="text-soft">{t(check.state)}</p>
  return (
    <div className="text-soft">
      <p>{t('differs')}</p>
      <ul className="list-disc pl-4">
        {check.differences.map(({ at, said }) => (
          <li key={`${at} ${said}`} className="break-words">
            {t.rich('difference', {
              said: words(validatorWords(said)),
              place: at === '#' ? t('whole') : at.slice(2),
              code: (chunks) => <code className="font-mono text-sm">{chunks}</code>,
            })}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A sentence of the validator, which catalogues have with numbers in place of its values. */
function validatorWords(said: string): Name {
  const values: Record<string, string> = {}
  const name = said.replace(/\[.*\]|"[^"]*"|-?\d+(?:\.\d+)?/g, (value) => {
    const number = Object.keys(values).length + 1
    values[number] = value
    return `{${number}}`
  })
  return { name, values }
}

const MILLISECONDS_BEFORE_TRYING = 150

/** A field to repair pasted arguments. */
export function PastedArguments() {
  const { t } = useView('repair')
  const [text, setText] = useState('')
  const tried = useTried(text)
  const id = useId()
  return (
    <>
      <label htmlFor={id} className="font-medium">
        {t('pasted.label')}
      </label>
      <p id={`${id}-hint`} className="mb-1.5 text-soft">
        {t('pasted.hint')}
      </p>
      <div className="max-h-60 overflow-y-auto">
        <TextArea
          id={id}
          isMono
          aria-describedby={`${id}-hint`}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      <div aria-live="polite" className="mt-2">
        {tried !== undefined && <Tried tried={tried} />}
      </div>
    </>
  )
}

function Tried({ tried: { text, result } }: { tried: TriedRepair }) {
  const { t, actions } = useView('repair')
  if (result.state === 'valid')
    return (
      <>
        <p className="text-good">{t('states.valid')}</p>
        {!result.isObject && <p className="text-bad">{t('failures.not_an_object')}</p>}
      </>
    )
  const copy = () => copyText(actions, result.text, 'copied', { chars: result.text.length })
  return (
    <>
      <RepairOutcome before={text} result={result} />
      {result.state === 'repaired' && (
        <Button size="small" className="mt-2" onClick={copy}>
          {t('pasted.copy')}
        </Button>
      )}
    </>
  )
}

/** Outcome of the repair, updated when typing pauses. */
function useTried(text: string): TriedRepair | undefined {
  const { actions } = usePlayground()
  const [tried, setTried] = useState<TriedRepair>()
  const settings = usePlaygroundState(({ repairSettings }) => repairSettings)
  useEffect(() => {
    let isAsked = true
    const timer = setTimeout(async () => {
      const next = text === '' ? undefined : await actions.tryRepair(text, settings)
      if (isAsked) setTried(next)
    }, MILLISECONDS_BEFORE_TRYING)
    return () => {
      isAsked = false
      clearTimeout(timer)
    }
  }, [text, actions, settings])
  return text === '' ? undefined : tried
}
