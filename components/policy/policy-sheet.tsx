import type { ReactElement } from 'react'
import { useTranslations } from 'use-intl'
import { SessionLine } from '../meters/session-figures'
import { Button } from '../ui/button'
import { Sheet } from '../ui/sheet'
import { PolicyFields, PolicyFooter, type PolicyPanelProps } from './policy-panel'

export interface PolicySheetProps extends PolicyPanelProps {
  /** The button that opens it; by default labelled “Policy”. */
  readonly trigger?: ReactElement
}

/** The policy as a sheet for narrow screens, with the cost of the session, which it covers. */
export function PolicySheet({ trigger, ...fields }: PolicySheetProps) {
  const t = useTranslations('policy')
  return (
    <Sheet
      title={t('title')}
      closeLabel={t('close')}
      trigger={trigger ?? <Button>{t('open')}</Button>}
      footer={
        <>
          <SessionLine />
          <PolicyFooter />
        </>
      }
    >
      <div className="px-5 py-3">
        <PolicyFields {...fields} />
      </div>
    </Sheet>
  )
}
