import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../ui/button'

/** Element ids of the parts that have a skip link. */
export const SKIP_TARGETS = { policy: 'policy', conversation: 'conversation' } as const

/** The first tab stops, shown while they have the focus. Buttons, since the address after `#` has the settings. */
export function SkipLinks({ isMain }: { readonly isMain: boolean }) {
  const t = useTranslations('shell')
  return (
    <nav
      aria-label={t('skip')}
      className="fixed top-1.5 left-1.5 z-60 flex gap-1.5 [&:not(:focus-within)]:sr-only"
    >
      {(isMain ? (['policy', 'conversation'] as const) : (['content'] as const)).map((part) => (
        <Button
          key={part}
          onClick={() => focusPart(part === 'content' ? 'main' : `#${SKIP_TARGETS[part]}`)}
        >
          {t(`skipTo.${part}`)}
        </Button>
      ))}
    </nav>
  )
}

let isFirstPage = true

/** Gives the main part of a page the focus when the user comes from another page, whose parts are gone. */
export function useFocusOnArrival(): void {
  useEffect(() => {
    if (!isFirstPage) focusPart('main', { preventScroll: true })
    isFirstPage = false
  }, [])
}

function focusPart(selector: string, options?: FocusOptions): void {
  const part = document.querySelector<HTMLElement>(selector)
  if (part === null) return
  // Only for now: a press on its text would focus it too.
  part.tabIndex = -1
  part.addEventListener('blur', () => part.removeAttribute('tabindex'), { once: true })
  part.focus(options)
}
