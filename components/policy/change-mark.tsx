import { RotateCcw } from 'lucide-react'
import { useFormatter, useTranslations } from 'use-intl'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { LINK_DEFAULTS } from '@/lib/core/share/link/settings-link'
import { isChanged } from '@/lib/state/policy/policy-facts'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Tooltip } from '../ui/tooltip'

/** A dot beside a setting that differs from its default. A press resets the setting. */
export function ChangeMark({ setting }: { setting: keyof MaskPolicy }) {
  const t = useTranslations('policy')
  const format = useFormatter()
  const { actions } = usePlayground()
  const isMarked = usePlaygroundState(({ policy }) => isChanged(policy, setting))
  if (!isMarked) return null
  const value = LINK_DEFAULTS[setting]
  const hint =
    typeof value === 'boolean'
      ? t('mark.hint', { value: value ? t('mark.on') : t('mark.off') })
      : typeof value === 'number'
        ? t('mark.hint', { value: format.number(value) })
        : t('mark.hintOther')
  return (
    <Tooltip text={hint} side="top">
      <button
        type="button"
        aria-label={t('mark.reset', { label: t(`labels.${setting}`) })}
        onClick={() => actions.changePolicy({ [setting]: value })}
        className="group relative -m-1 inline-flex size-6 shrink-0 cursor-pointer items-center justify-center rounded-sm text-accent pointer-coarse:before:absolute pointer-coarse:before:-inset-2.5 pointer-coarse:before:content-['']"
      >
        <span
          aria-hidden
          className="size-1.5 rounded-full bg-accent group-hover:hidden group-focus-visible:hidden"
        />
        <RotateCcw
          aria-hidden
          className="hidden size-3.5 group-hover:block group-focus-visible:block"
        />
      </button>
    </Tooltip>
  )
}
