import { useTranslations } from 'use-intl'
import { Button } from '../ui/button'

/** Element ids of the parts that have a skip link. */
export const SKIP_TARGETS = { policy: 'policy', conversation: 'conversation' } as const

/** The first tab stops, shown while they have the focus. Buttons, since the address after `#` has the settings. */
export function SkipLinks() {
  const t = useTranslations('shell')
  return (
    <nav
      aria-label={t('skip')}
      className="fixed top-1.5 left-1.5 z-60 flex gap-1.5 [&:not(:focus-within)]:sr-only"
    >
      <Button onClick={() => focusPart(SKIP_TARGETS.policy)}>{t('skipToPolicy')}</Button>
      <Button onClick={() => focusPart(SKIP_TARGETS.conversation)}>
        {t('skipToConversation')}
      </Button>
    </nav>
  )
}

function focusPart(id: string): void {
  const part = document.getElementById(id)
  if (part === null) return
  // Only for now: a press on its text would focus it too.
  part.tabIndex = -1
  part.addEventListener('blur', () => part.removeAttribute('tabindex'), { once: true })
  part.focus()
}
