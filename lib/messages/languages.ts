/** The languages of the page, and how their texts are loaded. */
import { en } from './en'

export const LANGUAGES = ['en', 'fr'] as const

export type Language = (typeof LANGUAGES)[number]

/** Each language in its own words. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' }

/** English texts are part of the page; those of another language load when it is shown. */
export async function loadMessages(language: Language): Promise<typeof en> {
  if (language === 'en') return en
  const { fr } = await import('./fr')
  // The type of a message has its English words; the compiler reads from them which values it needs.
  return fr as unknown as typeof en
}
