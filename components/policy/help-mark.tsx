import { CircleHelp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { IconButton } from '../ui/icon-button'
import { Popover } from '../ui/popover'

/** A button beside a setting's name that says what it does. */
export function HelpMark({
  name,
  children,
}: {
  readonly name: string
  readonly children: ReactNode
}) {
  const t = useTranslations('policy')
  return (
    <Popover
      align="start"
      label={name}
      trigger={
        <IconButton label={t('help', { name })} className="-mx-1 -my-1 pointer-coarse:-my-2.5">
          <CircleHelp aria-hidden />
        </IconButton>
      }
    >
      <p>{children}</p>
    </Popover>
  )
}
