import { Tabs } from '@base-ui/react/tabs'
import { useState } from 'react'
import { useShallow } from 'zustand/react/shallow'
import { validSettings } from '@/lib/core/mechanisms/mechanism'
import { MECHANISM_FACTS } from '@/lib/core/mechanisms/mechanism-table'
import { TEMPLATE_KINDS, TEMPLATE_LANGUAGES, TEMPLATES } from '@/lib/core/policy/placeholder'
import { isMaskingOff } from '@/lib/core/policy/policy'
import type { Agent, Library } from '@/lib/core/share/exports/agents'
import { AGENTS, CLIENT_FILE, LIBRARIES, setupScript } from '@/lib/core/share/exports/agents'
import { packageAddress } from '@/lib/core/share/exports/export-target'
import { EXPORT_TARGETS, type ExportId } from '@/lib/core/share/exports/export-targets'
import { measuredMechanismOf } from '@/lib/state/costs/tried-mechanism'
import { exportInputOf } from '@/lib/state/link/export-input'
import { readStored, STORAGE_KEYS, writeStored } from '@/lib/state/sync-stored'
import { useComments } from '../language-provider'
import { SettingsBlock } from '../mechanisms/mechanism-detail'
import { TriedSettings } from '../mechanisms/mechanism-panel'
import { RejectedMasking } from '../meters/history-notes'
import { usePlaygroundState, useView } from '../playground-context'
import { useGoTo } from '../shell/page-link'
import { linkTo } from '../ui/button'
import { Dialog, type DialogState } from '../ui/dialog'
import { SegmentedControl } from '../ui/segmented-control'
import { ConfigFile, CopyBlock } from './copy-block'
import { siteUrl } from './figures-url'

/** Programs that shorten their requests by rules of their own. */
const VENDORS = {
  swe_agent: 'swe-agent-last-n',
  openhands: 'openhands-mask',
  anthropic: 'anthropic-clear-tool-uses',
  langchain: 'langchain-js-clear-tool-uses',
} as const
interface Vendor {
  readonly vendor: keyof typeof VENDORS
}
type PolicyTarget = (typeof EXPORT_TARGETS)[number] | Agent | Library
type Target = PolicyTarget | Vendor

const idOf = (target: Target): string =>
  'vendor' in target ? target.vendor : 'id' in target ? target.id : target.name
const exportsOf = (...ids: ExportId[]) => EXPORT_TARGETS.filter(({ id }) => ids.includes(id))

const GROUPS = [
  ['agents', [...AGENTS, { vendor: 'swe_agent' }, { vendor: 'openhands' }]],
  ['libraries', [...exportsOf('library', 'fetch', 'python'), { vendor: 'anthropic' }]],
  ['frameworks', [{ vendor: 'langchain' }, ...exportsOf('langgraph', 'ai_sdk')]],
  ['proxy', [...exportsOf('proxy', 'litellm'), ...LIBRARIES]],
] as const satisfies (readonly [string, readonly Target[]])[]
const GROUPED = GROUPS.flatMap(([, targets]): readonly Target[] => targets)
const FILES = EXPORT_TARGETS.filter((target) => !GROUPED.includes(target))

const targetOf = (id: string | null) => [...GROUPED, ...FILES].find((target) => idOf(target) === id)

/** The policy for the user's stack: exports and agents behind the proxy, the last one used first. */
export function UseDialog(state: DialogState) {
  const { t } = useView('share.export')
  return (
    <Dialog
      title={t('title')}
      description={t('description')}
      className="flex flex-col short:h-auto h-[calc(100dvh-2rem)] w-[min(68rem,calc(100vw-2rem))] lg:h-[min(46rem,calc(100dvh-2rem))]"
      {...state}
    >
      <div className="flex h-full flex-col">
        <TriedSettings />
        <div className="min-h-0 flex-1">
          <Targets onDone={() => state.onOpenChange(false)} />
        </div>
      </div>
    </Dialog>
  )
}

/** Tabs in two columns on a wide screen, in rows on a narrow one. The content scrolls, the tabs stay. */
function Targets({ onDone }: { readonly onDone: () => void }) {
  const { t, store } = useView('share.export')
  const [last] = useState(() => readStored(() => localStorage, STORAGE_KEYS.target, targetOf))
  const [id, setId] = useState(() => {
    const format = store.getState().read?.model.format
    const agent = AGENTS.find((one) => format !== undefined && one.format === format)
    return idOf(last ?? agent ?? (FILES[0] as Target))
  })
  const target = targetOf(id) as Target
  const nameOf = (one: Target) => {
    if ('vendor' in one) return t(`names.${one.vendor}`)
    if ('id' in one) return t(`names.${one.id}`)
    return 'code' in one ? t('throughProxy', { name: one.name }) : one.name
  }
  const groups = [
    ...(last === undefined ? [] : [['last', [last]] as const]),
    ['files', FILES],
    ...GROUPS,
  ] as const
  return (
    <Tabs.Root
      value={id}
      onValueChange={(next: string) => setId(next)}
      orientation="vertical"
      className="flex h-full gap-x-5 gap-y-3 max-lg:flex-col"
    >
      <Tabs.List
        aria-label={t('targets')}
        activateOnFocus
        // On a phone its end fades, so that it is seen to scroll.
        className="max-lg:mask-b-from-70% shrink-0 gap-x-3 overflow-y-auto max-lg:max-h-56 max-lg:scroll-pb-16 max-lg:pb-10 lg:w-104 lg:columns-2"
      >
        {groups.map(([group, targets]) => (
          <div key={group} role="presentation" className="mb-2 break-inside-avoid">
            <span className="block px-2 pb-0.5 text-faint text-sm">{t(`groups.${group}`)}</span>
            <div role="presentation" className="flex gap-0.5 max-lg:flex-wrap lg:flex-col">
              {targets
                .filter((one) => group === 'last' || one !== last)
                .map((one) => (
                  <Tabs.Tab
                    key={idOf(one)}
                    value={idOf(one)}
                    className="h-7 cursor-pointer select-none truncate rounded-md px-2 text-left text-soft transition-colors hover:text-ink data-active:bg-accent-tint data-active:text-accent pointer-coarse:h-10"
                  >
                    {nameOf(one)}
                  </Tabs.Tab>
                ))}
            </div>
          </div>
        ))}
      </Tabs.List>
      <Tabs.Panel value={id} className="min-h-0 min-w-0 flex-1 overflow-y-auto outline-none">
        {'vendor' in target ? (
          <VendorView {...target} name={nameOf(target)} onDone={onDone} />
        ) : (
          <TargetView target={target} name={nameOf(target)} />
        )}
      </Tabs.Panel>
    </Tabs.Root>
  )
}

/** A program with a rule of its own: its settings, the cheapest here that keep enough later uses once they are known. */
function VendorView(props: Vendor & { readonly name: string; readonly onDone: () => void }) {
  const { vendor, name, onDone } = props
  const id = VENDORS[vendor]
  const { t, actions } = useView('share.export')
  const go = useGoTo()
  const found = usePlaygroundState(measuredMechanismOf({ id }))?.keeping
  const facts = MECHANISM_FACTS[id]
  if (facts === undefined) return null
  const settings = validSettings(facts, found?.settings ?? {})
  const show = () => {
    actions.tryMechanism({ id, settings })
    actions.setView('mechanisms')
    onDone()
    go('/')
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">
        {t(`abouts.${vendor}`)} {t('ownRule', { isFound: `${found !== undefined}` })}
      </p>
      <p>{linkTo(show)(t('try'))}</p>
      <SettingsBlock
        {...{ id, facts, settings, label: name }}
        onUsed={() => writeStored(() => localStorage, STORAGE_KEYS.target, vendor)}
      />
    </div>
  )
}

/** A target: what it is, its effect on this conversation, differences, and what to copy. */
function TargetView({ target, name }: { target: PolicyTarget; name: string }) {
  const { t } = useView('share.export')
  const comments = useComments()
  // Of the placeholder of the policy, which stays as it is.
  const [translation, setTranslation] = useState<{ of: string; to: string }>()
  const own = usePlaygroundState(useShallow((state) => exportInputOf(state, siteUrl())))
  const of = own.policy.placeholderTemplate
  const placeholderTemplate = translation?.of === of ? translation.to : of
  const input = { ...own, policy: { ...own.policy, placeholderTemplate } }
  const onUsed = () => writeStored(() => localStorage, STORAGE_KEYS.target, idOf(target))
  return (
    <div className="flex flex-col gap-3">
      {isMaskingOff(input.policy) && <p className="font-medium text-warn">{t('off')}</p>}
      <p className="text-soft">
        {'id' in target
          ? t(`abouts.${target.id}`)
          : t('aboutClient', { name: target.name, api: target.api, version: target.package })}
        {'policy' in target && ` ${t('lists')}`}
        {'target' in target &&
          target.target !== input.provider &&
          ` ${t('otherProvider', { target: target.target, provider: input.provider })}`}
      </p>
      <p className="empty:hidden">
        <RejectedMasking place="dialog" />
      </p>
      <PlaceholderLanguage
        template={placeholderTemplate}
        onChange={(to) => setTranslation({ of, to })}
      />
      {'id' in target ? (
        <CopyBlock
          title={target.fileName}
          label={name}
          file={{ name: target.fileName, type: target.mediaType }}
          text={target.write(input, comments)}
          onUsed={onUsed}
        />
      ) : (
        <>
          <CopyBlock
            title={t('terminal')}
            label={name}
            text={setupScript(target, input.policy, packageAddress(input))}
            onUsed={onUsed}
          />
          <p className="text-soft">
            {'code' in target ? t('code', { file: CLIENT_FILE }) : t('ends', { name: target.name })}
            {'file' in target && ` ${t('file', { path: target.file?.path })}`}
            {'setup' in target && ` ${t('keeps', { name: target.name })}`} {t('back')}
          </p>
        </>
      )}
      {idOf(target) === 'toml' && <ConfigFile policy={input.policy} />}
    </div>
  )
}

/** The language of the placeholder that the export carries, unless its text is the user's own. */
function PlaceholderLanguage(props: { template: string; onChange: (template: string) => void }) {
  const { template, onChange } = props
  const { t } = useView('policy.templates')
  const kind = TEMPLATE_KINDS.find((known) =>
    TEMPLATE_LANGUAGES.some((language) => TEMPLATES[language][known] === template),
  )
  if (kind === undefined) return null
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {t('language')}
      <SegmentedControl
        label={t('language')}
        value={template}
        options={TEMPLATE_LANGUAGES.map((language) => ({
          value: TEMPLATES[language][kind],
          label: t(`languages.${language}`),
        }))}
        onValueChange={onChange}
      />
    </div>
  )
}
