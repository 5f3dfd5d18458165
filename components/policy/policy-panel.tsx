import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { isSamePolicy, type MaskPolicy } from '@/lib/core/policy/policy'
import {
  type FlagField,
  POLICY_FIELDS,
  type PolicyField,
  policyField,
} from '@/lib/core/policy/policy-fields'
import { LINK_DEFAULTS } from '@/lib/core/share/settings-link'
import { CompareButton } from '../compare/compare-button'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { PresetsButton } from '../share/presets-button'
import { Button } from '../ui/button'
import { AdvancedFields } from './advanced-fields'
import { BatchField } from './batch-field'
import { FlagControl, IntegerControl } from './generic-field'
import { KeepErrorsField } from './keep-errors-field'
import { PlaceholderField } from './placeholder-field'
import { SchemaLine } from './schema-line'
import { WindowField } from './window-field'

export interface PolicyPanelProps {
  /** Drawn above the window's slider, as wide as its track. */
  readonly windowChart?: ReactNode
  /** Below the slider, between the ends of its scale. */
  readonly windowCaption?: ReactNode
}

/** The policy as a form: effective at once, undoable, every setting with what it means for this conversation. */
export function PolicyPanel(props: PolicyPanelProps) {
  const t = useTranslations('policy')
  return (
    <section aria-label={t('title')} className="flex h-full min-h-0 flex-col">
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-6 py-3">
        <PolicyFields {...props} />
      </div>
      <div className="border-t px-6 py-1.5">
        <PolicyFooter />
      </div>
    </section>
  )
}

/** The fields alone, in the order of their table; extensions without a place of their own come last. */
export function PolicyFields(props: PolicyPanelProps) {
  return (
    <div className="flex flex-col gap-3.5">
      <div className="-mx-2 -my-1 flex flex-wrap gap-1">
        <PresetsButton />
        <CompareButton />
      </div>
      <FlagControl field={policyField('enabled') as FlagField} />
      {POLICY_FIELDS.filter(({ key, isExtension }) => !isExtension && key !== 'enabled').map(
        (field) => (
          <BaseField key={field.key} field={field} {...props} />
        ),
      )}
      <AdvancedFields />
    </div>
  )
}

function BaseField({
  field,
  windowChart,
  windowCaption,
}: { readonly field: PolicyField } & PolicyPanelProps) {
  const t = useTranslations('policy')
  switch (field.key) {
    case 'windowTurns':
      return (
        <>
          <WindowField caption={windowCaption}>{windowChart}</WindowField>
          <BatchField />
        </>
      )
    case 'keepErrors':
      return <KeepErrorsField />
    case 'placeholderTemplate':
      return <PlaceholderField />
  }
  if (field.kind === 'flag') return <FlagControl field={field} />
  if (field.kind === 'integer')
    return (
      <IntegerControl
        field={field}
        description={
          field.key === 'keepLastKPerTool' ? t('descriptions.keepLastKPerTool') : undefined
        }
      />
    )
  return null
}

/** What the policy is as a whole, and the way back to its defaults. */
export function PolicyFooter() {
  const t = useTranslations('policy')
  const { actions } = usePlayground()
  const isDefault = usePlaygroundState(({ policy }: { readonly policy: MaskPolicy }) =>
    isSamePolicy(policy, LINK_DEFAULTS),
  )
  return (
    <div className="flex items-center justify-between gap-2">
      <SchemaLine />
      <Button
        kind="ghost"
        size="small"
        className="-mr-2"
        disabled={isDefault}
        aria-label={t('reset')}
        onClick={actions.resetPolicy}
      >
        {t('resetShort')}
      </Button>
    </div>
  )
}
