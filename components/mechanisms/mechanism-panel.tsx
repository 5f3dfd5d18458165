import { useMemo } from 'react'
import type { RichTranslationValues } from 'use-intl'
import { defaultSettings, validSettings } from '@/lib/core/mechanisms/mechanism'
import { MECHANISM_FACTS } from '@/lib/core/mechanisms/mechanism-table'
import { comparisonOf, hasClearings } from '@/lib/state/costs/mechanisms'
import { isOutputWhole, searchedMechanismOf, triedViewOf } from '@/lib/state/costs/tried-mechanism'
import { useWords } from '../language-provider'
import { useDeferredState, usePlaygroundState, useShown, useView } from '../playground-context'
import { CopyBlock } from '../share/copy-block'
import { Button } from '../ui/button'
import { Select } from '../ui/select'
import { commandOf, MechanismDetail } from './mechanism-detail'

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

/** What is tried in place of the policy; undefined if nothing is. */
export function useTried() {
  const words = useWords()
  const mechanism = usePlaygroundState((state) => state.mechanism)
  const facts = mechanism && MECHANISM_FACTS[mechanism.id]
  if (mechanism === undefined || facts === undefined) return undefined
  return { ...mechanism, given: mechanism.settings, facts, name: words({ name: facts.label }) }
}

/** The settings of the mechanism in place of those of the policy, and the way to all others. */
export function MechanismPanel() {
  const { t, actions } = useView('mechanisms')
  const tried = useTried()
  const comparison = useShown(comparisonOf).shown
  const searched = useDeferredState(searchedMechanismOf)
  if (tried === undefined) return null
  return (
    <>
      <MechanismDetail
        {...tried}
        best={searched?.best?.settings}
        keeping={searched?.keeping?.settings}
        before={comparison?.unchanged}
        isInPanel
      />
      <Button kind="link" className="self-start" onClick={() => actions.setView('mechanisms')}>
        {t('all')}
      </Button>
    </>
  )
}

/** What the mechanism does to the cost of the session, and how much is forgotten, in a sentence of the verdict. */
export function TriedSentence({ values }: { readonly values: RichTranslationValues }) {
  const { t } = useView('mechanisms')
  return t.rich('tried', { ...values, name: useTried()?.name ?? '' })
}

/** What the output shows as it came although the mechanism changes it, with the command that prints the request as sent. */
export function OtherChanges() {
  const { t } = useView('mechanisms')
  const tried = useTried()
  const n = useDeferredState((state) =>
    isOutputWhole(state) ? undefined : triedViewOf(state)?.otherChanges,
  )
  if (tried === undefined || n === undefined) return null
  const { id, name, facts, given } = tried
  const command = commandOf('mask', id, validSettings(facts, given), defaultSettings(facts))
  const title = t(n === 0 ? 'otherSessions' : 'otherChanges', { name, n })
  return (
    <div className="shrink-0 border-b bg-paper px-4 py-2 text-sm">
      <CopyBlock title={title} text={command} />
    </div>
  )
}

/** Above exports, which are those of the policy. */
export function NotExported() {
  const { t } = useView('mechanisms')
  const tried = useTried()
  return tried && <p className="mb-3 text-warn">{t('notExported', { name: tried.name })}</p>
}
