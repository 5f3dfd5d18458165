/**
 * Runs in the head of the page, before anything is drawn. Marks the page with the language chosen, or preferred by the
 * browser, unless it is English; the styles then hide the English texts until the others are there. Its source is
 * inlined, so it may use nothing from outside itself.
 */
export function markLanguage(storageKey: string): void {
  let chosen: string | null = null
  try {
    chosen = localStorage.getItem(storageKey)
  } catch {
    // Storage is refused: the browser's languages decide.
  }
  for (const name of [chosen ?? '', ...navigator.languages]) {
    const language = name.slice(0, 2).toLowerCase()
    if (language === 'en') return
    if (language === 'fr') {
      document.documentElement.dataset.language = language
      return
    }
  }
}
