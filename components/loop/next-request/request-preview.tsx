import { Copy, Ellipsis, FileDown, FilePlus2, History, ScrollText, Terminal } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { groupBy } from '@/lib/core/conversation/add-to-group'
import { REQUEST_RULES } from '@/lib/core/loop/check-request'
import { writeCurl } from '@/lib/core/loop/write-request'
import { LANGUAGE_NAMES, LANGUAGES } from '@/lib/messages/languages'
import { conversationFileName } from '@/lib/state/files/chat-body'
import type { BuiltNextRequest } from '@/lib/state/loop/next-request'
import { repairOf } from '@/lib/state/repair/document-repair'
import { useDrafts } from '../../drafts/drafts-context'
import { usePlaygroundState, useView } from '../../playground-context'
import { copyText, saveFile } from '../../save-file'
import { linkToTool } from '../../shell/page-link'
import { Button } from '../../ui/button'
import { Menu, MenuChoice, MenuItem } from '../../ui/menu'
import { SegmentedControl } from '../../ui/segmented-control'
import { ShowMore } from '../../ui/show-more'
import { ScrollRegion } from '../../ui/table'
import { IconButton } from '../../ui/tooltip'

type Built = { readonly built: BuiltNextRequest }

/** The request to send: tokens before and after masking, provider checks, and its text; faded while a newer one is built. */
export function RequestPreview({ built, isOld }: Built & { readonly isOld: boolean }) {
  const { t, format } = useView('nextRequest.preview')
  const { enabled, windowTurns: window } = usePlaygroundState((state) => state.policy)
  const { tokens, turns } = built
  const isSame = tokens.before === tokens.after
  const reason = !enabled || window <= 0 ? 'off' : turns <= window ? 'inWindow' : 'nothing'
  const [which, setWhich] = useState<'whole' | 'masked'>('masked')
  const text = built.texts[which]
  const shown = useDeferredValue(text)
  const marked = useMemo(
    () => (which === 'masked' ? built.placeholders.map((one) => JSON.stringify(one)) : []),
    [built, which],
  )
  return (
    <section
      aria-label={t('title')}
      className={`flex min-h-0 min-w-0 flex-1 flex-col gap-2 pb-4 ${isOld ? 'faded' : ''}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <div className="min-w-0" aria-live="polite">
          <p className="font-medium tabular-nums">
            {isSame ? t('same', { tokens: tokens.before }) : t('change', tokens)}{' '}
            {!isSame && (
              <span className={tokens.after < tokens.before ? 'text-good' : 'text-warn'}>
                {format.change(tokens.before, tokens.after)}
              </span>
            )}
          </p>
          {isSame && <p className="text-soft text-sm">{t(reason, { turns, window })}</p>}
        </div>
        <SegmentedControl
          kind="quiet"
          label={t('which')}
          value={which}
          options={(['whole', 'masked'] as const).map((value) => ({ value, label: t(value) }))}
          onValueChange={setWhich}
        />
      </div>
      <RequestCheck built={built} />
      <RequestActions built={built} which={which} />
      <RequestText text={shown} marked={marked} />
      {marked.length > 0 && (
        <p className="text-soft text-sm">{t('placeholders', { count: marked.length })}</p>
      )}
    </section>
  )
}

/** Rules of providers that the request breaks, with a fix if there is one. */
function RequestCheck({ built }: Built) {
  const t = useTranslations('nextRequest.check')
  const format = useFormatter()
  // Arguments that are not strings cannot be repaired as JSON text.
  const canRepair = usePlaygroundState((state) => (repairOf(state)?.calls.length ?? 0) > 0)
  const broken = groupBy(built.problems, ({ rule }) => rule)
  if (broken.size === 0) return <p className="text-good text-sm">{t('good')}</p>
  return (['all', 'some'] as const).map((who) => {
    const rules = [...broken].filter(([rule]) => REQUEST_RULES[rule] === who)
    if (rules.length === 0) return null
    const reasons = rules.map(([rule, { length: count }]) => t(`rules.${rule}`, { count }))
    return (
      <p key={who} className={`text-sm ${who === 'all' ? 'text-bad' : 'text-warn'}`}>
        {t(who, { reasons: format.list(reasons) })}{' '}
        {canRepair &&
          rules.some(([rule]) => rule === 'broken_arguments') &&
          linkToTool('arguments')(t('repair'))}
      </p>
    )
  })
}

/** A result can be one very long line of JSON; only its start is shown. */
const LINE_CHARS = 500
const LINES_AT_ONCE = 1000

/** A read-only text, with the lines that contain a marked text. */
function RequestText({ text, marked }: { text: string; marked: readonly string[] }) {
  const t = useTranslations('nextRequest.preview')
  const lines = useMemo(() => text.split('\n'), [text])
  const [most, setMost] = useState(LINES_AT_ONCE)
  return (
    <ScrollRegion
      aria-label={t('text')}
      className="min-h-30 flex-1 overflow-y-auto rounded-md border border-line bg-raised px-3 font-mono text-sm leading-5 max-lg:max-h-96 max-lg:min-h-60"
    >
      {lines.slice(0, most).map((line, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their order
          key={index}
          className={`min-h-5 whitespace-pre-wrap wrap-anywhere ${marked.some((stretch) => line.includes(stretch)) ? 'bg-accent-tint' : ''}`}
        >
          {line.slice(0, LINE_CHARS)}
          {line.length > LINE_CHARS && (
            <span className="text-faint">
              {' '}
              {t('longLine', { chars: line.length - LINE_CHARS })}
            </span>
          )}
        </div>
      ))}
      <ShowMore all={lines.length} most={most} atOnce={LINES_AT_ONCE} onMore={setMost} />
    </ScrollRegion>
  )
}

/** Copies, saves or opens the request as it is shown. */
function RequestActions({ built, which }: Built & { readonly which: 'whole' | 'masked' }) {
  const { t, store: page, actions } = useView('nextRequest.preview')
  const fileName = useTranslations('nextRequest')('fileName')
  const language = usePlaygroundState(({ loop }) => loop.requestLanguage)
  const drafts = useDrafts()
  const isMasked = which === 'masked' && built.tokens.before !== built.tokens.after
  const nameOf = (...parts: string[]) =>
    conversationFileName(page.getState(), [...parts, `${fileName}.json`])
  const shownName = () => nameOf(...(isMasked ? ['masked'] : []))
  const text = built.texts[which]
  const store = (isAsked: boolean) => {
    const { key, text } = built.savedConversation
    const saved = { key: `follow-up/${key}`, name: nameOf(), text, turns: built.turns }
    return drafts.saveConversation(saved, isAsked)
  }
  const stored = (use: () => unknown) => () => {
    void store(false)
    void use()
  }
  const copy = (copied: () => string, name: string) =>
    stored(() => copyText(actions, copied(), 'copied_export', { name }))
  const save = stored(() => saveFile(actions, shownName(), [text, '\n']))
  const open = stored(() => {
    const name = shownName()
    actions.openText(`${text}\n`, name, { kind: 'paste' })
    actions.notify('opened', { name })
  })
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <Button size="small" kind="primary" onClick={copy(() => `${text}\n`, t('json'))} icon={Copy}>
        {t('copyJson')}
      </Button>
      <Button
        size="small"
        onClick={copy(() => writeCurl(JSON.parse(text)), t('curl'))}
        icon={Terminal}
      >
        {t('copyCurl')}
      </Button>
      <Button size="small" onClick={() => void store(true)} icon={History}>
        {t('saveAsConversation')}
      </Button>
      <Menu trigger={<IconButton label={t('more')} icon={Ellipsis} />}>
        <MenuItem icon={FilePlus2} onSelect={open}>
          {t('open')}
        </MenuItem>
        <MenuItem icon={FileDown} onSelect={save}>
          {t('save')}
        </MenuItem>
        <MenuItem icon={ScrollText} onSelect={copy(() => built.log, t('log'))}>
          {t('copyLog')}
        </MenuItem>
        <MenuChoice
          label={t('style')}
          value={language ?? 'en'}
          options={LANGUAGES.map((value) => [value, LANGUAGE_NAMES[value]] as const)}
          onValueChange={actions.showNextRequest}
        />
      </Menu>
    </div>
  )
}
