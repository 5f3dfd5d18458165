import { useMemo } from 'react'
import type { RichTranslationValues } from 'use-intl'
import { defaultSettings, validSettings } from '@/lib/core/mechanisms/mechanism'
import { MECHANISM_FACTS } from '@/lib/core/mechanisms/mechanism-table'
import { spent } from '@/lib/state/costs/mechanisms'
import { hasClearings, sessionsOf } from '@/lib/state/costs/shown-session'
import { isWritten, sentRequestOf, triedTogetherOf } from '@/lib/state/costs/tried-mechanism'
import { useWords } from '../language-provider'
import { useDeferredState, usePlaygroundState, useShown, useView } from '../playground-context'
import { Button } from '../ui/button'
import { Select } from '../ui/select'
import { MechanismDetail, SettingsBlock, useTried } from './mechanism-detail'

const SCHEMA1 = 'schema1'

/** The mechanism in use: Schema 1 with the policy, or another one in its place. */
export function MechanismMenu({ isOpen }: { readonly isOpen: boolean }) {
  const { t, actions } = useView('policy.mechanism')
  const words = useWords()
  const isCleared = usePlaygroundState(hasClearings)
  const id = usePlaygroundState(({ mechanism }) => mechanism?.id ?? SCHEMA1)
  const options = useMemo(() => {
    const shown = Object.entries(MECHANISM_FACTS).filter(
      ([one]) => one !== 'as-it-ran' || isCleared,
    )
    return shown.map(([value, { label }]) => ({ value, label: words({ name: label }) }))
  }, [words, isCleared])
  const choose = (chosen: string) => {
    const facts = MECHANISM_FACTS[chosen]
    if (facts === undefined || chosen === id) return
    const settings = defaultSettings(facts)
    actions.tryMechanism(chosen === SCHEMA1 ? undefined : { id: chosen, settings })
  }
  return (
    <div className="*:w-full">
      <Select
        kind="small"
        isOpenAtFirst={isOpen}
        label={t('label')}
        value={id}
        options={options}
        onValueChange={choose}
      />
    </div>
  )
}

/** The settings of the mechanism in place of those of the policy, and the way to all others. */
export function MechanismPanel() {
  const { t, actions } = useView('mechanisms')
  const tried = useTried()
  if (tried === undefined) return null
  return (
    <>
      <MechanismDetail {...tried} />
      <TogetherNote />
      <Button kind="link" className="self-start" onClick={() => actions.setView('mechanisms')}>
        {t('all')}
      </Button>
    </>
  )
}

/** What the mechanism does to all sessions of the file together, where it has several. */
function TogetherNote() {
  const { t, format } = useView('mechanisms')
  const { shown, isOld } = useShown(triedTogetherOf)
  if (shown === undefined || shown.count < 2) return null
  const [before, after] = [spent(shown.before), spent(shown.after)]
  const write = shown.before.cost === undefined ? format.number : format.money
  const values = {
    count: shown.count,
    ...{ before: write(before), after: write(after, before) },
    ...{ change: format.change(before, after), lost: shown.after.lostUses },
  }
  return <p className={isOld ? 'faded' : ''}>{t('onAll', values)}</p>
}

/** What the mechanism does to the cost of the session, and how much is forgotten, in a sentence of the verdict. */
export function TriedSentence({ values }: { readonly values: RichTranslationValues }) {
  const { t } = useView('mechanisms')
  return t.rich('tried', { ...values, name: useTried()?.name ?? '' })
}

/** Says which request the output is, where it is written anew. */
export function SentNote() {
  const { t } = useView('mechanisms')
  const tried = useTried()
  const sent = useShown(sentRequestOf).shown
  const request = useDeferredState((state) => state.request)
  const isOneOfMany = useDeferredState((state) => (sessionsOf(state)?.length ?? 1) > 1)
  if (!useDeferredState(isWritten) || !tried || !sent) return null
  const n = sent.leftOut.reduce((sum, { messages }) => sum + messages, 0)
  const which = { request: (request ?? -1) + 1, isOneOfMany: `${isOneOfMany}` }
  return (
    <p className="shrink-0 border-b bg-paper px-4 py-2 text-soft text-sm">
      {t('sent', { name: tried.name, n, ...which })}
    </p>
  )
}

/** The settings of what is tried, before the exports of the policy. */
export function TriedSettings() {
  const { t } = useView('mechanisms')
  const tried = useTried()
  if (tried === undefined) return null
  const { id, facts, given, name } = tried
  return (
    <section
      aria-label={name}
      className="mb-4 flex max-h-52 shrink-0 flex-col gap-2 overflow-y-auto"
    >
      <SettingsBlock {...{ id, facts, settings: validSettings(facts, given) }} />
      <p className="text-soft">{t('exported', { name })}</p>
    </section>
  )
}
