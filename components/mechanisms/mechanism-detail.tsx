import { useState } from 'react'
import type { SettingRow, Settings, SettingValue } from '@/lib/core/mechanisms/mechanism'
import {
  changesOf,
  defaultSettings,
  highestOffered,
  readSetting,
  refusedSettings,
  shownSetting,
  validSettings,
} from '@/lib/core/mechanisms/mechanism'
import { MECHANISM_FACTS, type MechanismFacts } from '@/lib/core/mechanisms/mechanism-table'
import { writeSettings } from '@/lib/core/mechanisms/write-settings'
import type { Words } from '@/lib/core/words/words'
import { searchedMechanismOf, triedMechanismOf } from '@/lib/state/costs/tried-mechanism'
import { mechanismFigures } from '../cost/report/report-sentences'
import { useReportTexts } from '../cost/use-report-texts'
import { useWords } from '../language-provider'
import { NumberField } from '../numbers/number-field'
import { useDeferredState, usePlaygroundState, useShown, useView } from '../playground-context'
import { CopyBlock } from '../share/copy-block'
import { Button, SourceLink } from '../ui/button'
import { Select } from '../ui/select'
import { Slider } from '../ui/slider'
import { SwitchField, TextInput } from '../ui/switch-field'

/** What is tried in place of the policy; undefined if nothing is. */
export function useTried() {
  const words = useWords()
  const mechanism = usePlaygroundState((state) => state.mechanism)
  const facts = mechanism && MECHANISM_FACTS[mechanism.id]
  if (mechanism === undefined || facts === undefined) return undefined
  return { ...mechanism, given: mechanism.settings, facts, name: words({ name: facts.label }) }
}

/** What the mechanism that is tried needs and where its rules are from, and its settings; the instrument shows its requests. */
export function MechanismDetail(props: NonNullable<ReturnType<typeof useTried>>) {
  const { id, name, facts, given } = props
  const searched = useDeferredState(searchedMechanismOf)
  const [best, keeping] = [searched?.best?.settings, searched?.keeping?.settings]
  const settings = validSettings(facts, given)
  const { measure: tried, unchanged: before } = useShown(triedMechanismOf).shown ?? {}
  const { t, format, actions } = useView('mechanisms')
  const keptShare = usePlaygroundState(({ advice }) => advice.keptShare)
  const texts = useReportTexts()
  const { words } = texts
  const change = (chosen: Settings, gesture?: string) =>
    actions.tryMechanism({ id, settings: chosen }, gesture)
  return (
    <section aria-label={t('panel', { name })} className="flex flex-col gap-3">
      <p className="max-w-[70ch]">{words({ name: facts.does })}</p>
      <p className="max-w-[70ch] text-soft">
        {words({ name: facts.needs })}{' '}
        {facts.read !== undefined && `${t('read', { month: format.month(facts.read) })} `}
        {facts.source !== undefined && (
          <SourceLink href={facts.source} aria-label={t('sourceOf', { name })}>
            {t('source')}
          </SourceLink>
        )}
      </p>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-2 @xl:grid-cols-2">
        {facts.rows.map((row) => (
          <SettingField
            key={row.key}
            row={row}
            value={settings[row.key] ?? row.value}
            onChange={(value) => change({ ...settings, [row.key]: value }, `mechanism ${row.key}`)}
          />
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" onClick={() => change(defaultSettings(facts))}>
          {t('toDefault')}
        </Button>
        {best !== undefined && (
          <Button size="small" onClick={() => change(best)}>
            {t('toBest')}
          </Button>
        )}
        {keeping !== undefined && (
          <Button size="small" onClick={() => change(keeping)}>
            {t('toKeeping', { share: format.share(keptShare) })}
          </Button>
        )}
        <p aria-live="polite" className="ml-auto font-medium tabular-nums">
          {tried && before && mechanismFigures(texts, tried, before)}
        </p>
      </div>
      <SettingsBlock {...{ id, facts, settings }} />
    </section>
  )
}

/** The settings as the vendor's file or code, or as this project's command. */
export function SettingsBlock(
  props: { id: string; facts: MechanismFacts; settings: Settings } & Pick<
    Parameters<typeof CopyBlock>[0],
    'label' | 'onUsed'
  >,
) {
  const { id, facts, settings, ...block } = props
  const { t } = useView('mechanisms')
  const words = useWords()
  const written = writeSettings(facts, settings)
  const sets = changesOf(settings, defaultSettings(facts)).map(([k, v]) => ` --set '${k}=${v}'`)
  const command = `npx observation-masking bench FILE --mechanism ${id}${sets.join('')}`
  return (
    <>
      {written?.note && <p className="text-soft">{words({ name: written.note })}</p>}
      <CopyBlock
        title={written === undefined ? t('command') : words({ name: written.title })}
        text={written?.text ?? command}
        {...block}
      />
    </>
  )
}

/** The field of a setting, by what its default is; the names are the vendor's. */
function SettingField(props: {
  readonly row: SettingRow
  readonly value: SettingValue
  readonly onChange: (value: SettingValue) => void
}) {
  const { row, value, onChange } = props
  const { t } = useView('mechanisms')
  const words = useWords()
  const [refused, setRefused] = useState<Words>([])
  const { key, tried = [], options = [], least = 0, most = 1_000_000_000 } = row
  const choices = [...new Set([...options, ...tried.filter((one) => typeof one === 'string')])]
  const take = (text: string) => {
    const read = readSetting(row, text)
    if ('value' in read) onChange(read.value)
    setRefused(refusedSettings({ rows: [row], label: key }, { [key]: text }))
  }
  if (typeof row.value === 'boolean')
    return <SwitchField label={key} isOn={value === true} onChange={onChange} />
  const control =
    choices.length > 0 ? (
      <Select
        kind="small"
        label={key}
        value={String(value)}
        options={choices.map((one) => ({ value: one, label: one }))}
        onValueChange={onChange}
      />
    ) : (
      <TextInput
        aria-label={key}
        // Another default or the cheapest settings write it anew.
        key={shownSetting(value)}
        defaultValue={shownSetting(value)}
        placeholder={typeof row.value === 'object' ? t('names') : undefined}
        onBlur={({ currentTarget }) => take(currentTarget.value)}
        onKeyDown={({ key: pressed, currentTarget }) =>
          pressed === 'Enter' && take(currentTarget.value)
        }
        className="min-w-0 flex-1"
      />
    )
  if (typeof row.value !== 'number')
    return (
      <div className="flex min-h-7 flex-wrap items-center justify-between gap-x-3">
        <span className="font-medium">{key}</span>
        {control}
        <p aria-live="polite" className="basis-full text-bad text-sm empty:hidden">
          {words(refused)}
        </p>
      </div>
    )
  const number = Number(value)
  const highest = highestOffered(row)
  return (
    <div>
      <NumberField
        label={key}
        value={number}
        minimum={least}
        maximum={most}
        width="wide"
        digits={0}
        onValueChange={onChange}
      />
      {highest > 0 && (
        <Slider
          label={key}
          value={number}
          minimum={least}
          maximum={highest}
          onValueChange={onChange}
        />
      )}
    </div>
  )
}
