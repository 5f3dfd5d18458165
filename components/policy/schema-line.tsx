import { Info } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { extensionsInUse } from '@/lib/state/policy-facts'
import { usePlaygroundState } from '../playground-context'
import { IconButton } from '../ui/icon-button'
import { Popover } from '../ui/popover'

/** Whether the policy is what Schema 1 says, or more than that. */
export function SchemaLine() {
  const t = useTranslations('policy')
  const policy = usePlaygroundState((state) => state.policy)
  const used = extensionsInUse(policy)
  const names = used.map((key) => t(`labels.${key}`)).join(', ')
  return (
    <span className="flex min-w-0 items-center gap-0.5 text-soft text-sm">
      <span className="truncate">
        {used.length === 0 ? t('schema.exact') : t('schema.extended', { n: used.length })}
      </span>
      <Popover
        align="center"
        side="top"
        trigger={
          <IconButton label={t('schema.hint')} side="top">
            <Info aria-hidden />
          </IconButton>
        }
      >
        {used.length > 0 && <p className="mb-1.5">{t('schema.used', { names })}</p>}
        <p className="text-soft">{t('schema.about')}</p>
      </Popover>
    </span>
  )
}
