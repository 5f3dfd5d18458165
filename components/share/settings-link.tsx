import { Copy } from 'lucide-react'
import { Fragment } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { NO_SETTINGS } from '@/lib/core/share/link/settings-link'
import { linkSettingsOf, sharedFragment } from '@/lib/state/link/settings-url'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { copyText } from '../save-file'
import { Button } from '../ui/button'
import { FIELD_SURFACE } from '../ui/popover'
import { pageUrl } from './page-url'

interface SettingsLinkProps {
  readonly isPrimary: boolean
  readonly onCopied: () => void
}

/** The settings link, its contents and its length. */
export function SettingsLink({ isPrimary, onCopied }: SettingsLinkProps) {
  const t = useTranslations('share.link')
  const format = useFormatter()
  const { store, actions } = usePlayground()
  const link = pageUrl(usePlaygroundState(sharedFragment))
  const settings = linkSettingsOf(store.getState())
  const parts = (['policy', 'model', 'view', 'sample', 'conversation', 'pinned'] as const).filter(
    (part) => part === 'policy' || settings[part] !== NO_SETTINGS[part],
  )
  const namesOf = (key: 'excludeTools' | 'errorPatterns') => [
    ...new Set([...settings.policy[key], ...(settings.pinned?.[key] ?? [])]),
  ]
  const tools = namesOf('excludeTools')
  const texts = namesOf('errorPatterns')
  const copy = async () => {
    if (await copyText(actions, link, 'copied_link', { chars: link.length })) onCopied()
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="text-soft">
        {t('carries', { parts: format.list(parts.map((part) => t(`parts.${part}`))) })} {t('opens')}
      </p>
      {tools.length > 0 && <Names title={t('tools', { n: tools.length })} names={tools} />}
      {texts.length > 0 && <Names title={t('texts', { n: texts.length })} names={texts} />}
      <input
        readOnly
        aria-label={t('label')}
        value={link}
        onFocus={({ target }) => {
          target.select()
          // The selection has scrolled to its end.
          target.scrollLeft = 0
        }}
        className={`${FIELD_SURFACE} h-8 w-full px-2.5 font-mono text-sm pointer-coarse:h-11`}
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-soft tabular-nums">{t('length', { chars: link.length })}</p>
        <Button
          kind={isPrimary ? 'primary' : 'plain'}
          className="ml-auto"
          onClick={() => void copy()}
          icon={Copy}
        >
          {t('copy')}
        </Button>
      </div>
    </div>
  )
}

/** What the user wrote and the link contains. */
function Names({ title, names }: { title: string; names: readonly string[] }) {
  return (
    <p className="max-h-24 overflow-y-auto">
      {title}{' '}
      {names.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <code className="break-all font-mono text-sm">{name}</code>
        </Fragment>
      ))}
    </p>
  )
}
