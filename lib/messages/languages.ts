/** The languages of the page, and how their texts are loaded. */
import type { en } from './en'
import { firstEn } from './first-en'
import type { Phrases } from './phrases'

export const LANGUAGES = ['en', 'fr'] as const

export type Language = (typeof LANGUAGES)[number]

/** Each language in its own words. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' }

/** Texts of a language. */
export interface LanguageTexts {
  readonly messages: typeof en
  /** Texts that the core makes. */
  readonly phrases: Phrases
  /** Comments of exports. */
  readonly comments: Phrases
  /** False while only the texts of the first view are there. No view asks for the others before. */
  readonly areAll: boolean
}

const unchanged: Phrases = (text) => text

/** The texts of the page as it is delivered. */
export const FIRST_TEXTS: LanguageTexts = {
  messages: firstEn as unknown as typeof en,
  phrases: unchanged,
  comments: unchanged,
  areAll: false,
}

/** Loads the texts of the first view. */
export async function loadFirstTexts(language: Language): Promise<LanguageTexts> {
  if (language === 'en') return FIRST_TEXTS
  const { firstFr, firstPhrases } = await import('./first-fr')
  const messages = firstFr as unknown as typeof en
  return { messages, phrases: firstPhrases, comments: unchanged, areAll: false }
}

/** Loads all texts of a language. */
export async function loadTexts(language: Language): Promise<LanguageTexts> {
  if (language === 'en')
    return { ...FIRST_TEXTS, messages: (await import('./en')).en, areAll: true }
  const { comments, fr, phrases } = await import('./fr')
  // The type of a message has its English words; the compiler reads from them which values it needs.
  return { messages: fr as unknown as typeof en, phrases, comments, areAll: true }
}
